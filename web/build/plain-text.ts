/** The text of HTML that micromark wrote, in which only these four are escaped. */
export const plainText = (html: string): string =>
  html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
