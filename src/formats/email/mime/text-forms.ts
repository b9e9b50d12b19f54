/** Takes the armour off a text that is signed in place; what was signed is what a person reads. */
export const openClearSigned = (text: string): string | undefined => {
  const start = text.indexOf('-----BEGIN PGP SIGNED MESSAGE-----')
  if (start < 0) return undefined
  const signature = text.indexOf('-----BEGIN PGP SIGNATURE-----', start)
  const end = text.indexOf('-----END PGP SIGNATURE-----', start)
  const headersEnd = /\r?\n[ \t]*\r?\n/.exec(text.slice(start))
  if (!headersEnd) return undefined
  const from = start + headersEnd.index + headersEnd[0].length
  const signed = text.slice(from, signature < 0 ? undefined : signature).replace(/^- /gm, '')
  const afterEnd = end < 0 ? '' : text.slice(end + '-----END PGP SIGNATURE-----'.length)
  return `${text.slice(0, start)}${signed}${afterEnd}`
}

/** Whether a text is, or holds, an encrypted message. */
export const isPgpMessage = (text: string): boolean => /^-----BEGIN PGP MESSAGE-----\s*$/m.test(text)

const ENRICHED: Readonly<Record<string, string>> = {
  bold: 'b',
  italic: 'i',
  underline: 'u',
  fixed: 'code',
  excerpt: 'blockquote',
}

/** The old `text/enriched` as HTML. */
export const enrichedToHtml = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/<param>[^<]*<\/param>/gi, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<<', '&lt;')
    .replace(/<(\/?)([a-z]{1,20})>/gi, (_, slash: string, name: string) => {
      const made = ENRICHED[name.toLowerCase()]
      return made ? `<${slash}${made}>` : ''
    })
    .replace(/\n+/g, (breaks) => (breaks.length === 1 ? ' ' : '<br>'.repeat(breaks.length - 1)))
