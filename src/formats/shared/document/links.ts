const SAFE_SCHEME = /^(?:https?|ftps?|mailto|tel|sms|doi|urn|geo|news|xmpp|magnet):/i
const ANY_SCHEME = /^[a-z][a-z\d+.-]*:/i

/** The address of a link that a reader may follow; undefined for scripts, data and files of another machine. */
export const safeHref = (href: string): string | undefined => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip them, so `java\nscript:` is a script
  const address = href.replace(/[\u0000-\u001f\u007f]/g, '').trim()
  if (address === '' || (ANY_SCHEME.test(address) && !SAFE_SCHEME.test(address))) return undefined
  return address
}
