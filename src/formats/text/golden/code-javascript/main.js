// says hello
const greet = (name) => `Hello, ${name}!`

/* ```
fenced
``` */
console.log(greet('you'))
