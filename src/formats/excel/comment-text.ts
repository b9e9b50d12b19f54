/** Excel begins the text of a note with the name of its author. */
export const withoutAuthor = (text: string, author: string | undefined): string =>
  author && text.startsWith(`${author}:`) ? text.slice(author.length + 1).trim() : text
