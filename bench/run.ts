import { readdirSync } from 'node:fs'

/** Runs the benchmarks named on the command line, or all of them. Each folder of `bench/` with a run.ts is one. */
const here = new URL('./', import.meta.url)
const all = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'support')
  .map((entry) => entry.name)
  .sort()
const wanted = process.argv.slice(2).filter((name) => !name.startsWith('-'))
const unknown = wanted.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}; there are: ${all.join(', ')}`)
  process.exit(2)
}
for (const name of wanted.length > 0 ? wanted : all) {
  console.log(`\n# bench/${name}`)
  const { run } = (await import(new URL(`${name}/run.ts`, here).href)) as { run(): Promise<void> }
  await run()
}
process.exit(0)
