/** What a scan tells, in the order of the text. Attributes come as they are written, and are read on demand. */
export type XmlEvents = {
  open(name: string, attributes: string): void
  close?(name: string): void
  text?(text: string): void
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Text with its entities as characters. */
export const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
        if (name !== undefined) return ENTITIES[name] ?? whole
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole
      })
    : text

/** One attribute of a tag, by the name that is written in it. */
export const attributeOf = (attributes: string, name: string): string | undefined => {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  const value = found?.[1] ?? found?.[2]
  return value === undefined ? undefined : decodeEntities(value)
}

const CDATA = '<![CDATA['
// A tag ends at the first ">" outside of its attributes' values.
const TAG = /^<(\/?)([^\s/>]+)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>/

/**
 * Goes through XML as it comes. It takes well-formed text of the usual prefixes in UTF-8, and throws at what is beyond
 * it: a document type, another encoding, a tag without an end.
 */
export const scanXml = async (pieces: AsyncIterable<Uint8Array>, events: XmlEvents): Promise<void> => {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for await (const piece of pieces) rest = takeWhole(rest + decoder.decode(piece, { stream: true }), events)
  rest = takeWhole(rest + decoder.decode(), events)
  if (rest.trim() !== '') throw new Error('the XML ends in the middle')
}

/** Sends on what is whole; what is left begins with the first tag that is not. */
const takeWhole = (text: string, events: XmlEvents): string => {
  let at = 0
  for (;;) {
    const tagAt = text.indexOf('<', at)
    if (tagAt < 0) return text.slice(at)
    const end = endOfMarkup(text, tagAt)
    if (end === undefined) return text.slice(at)
    if (tagAt > at) events.text?.(decodeEntities(text.slice(at, tagAt)))
    sendMarkup(text.slice(tagAt, end), events)
    at = end
  }
}

const endOfMarkup = (text: string, at: number): number | undefined => {
  const after = (mark: string): number | undefined => {
    const found = text.indexOf(mark, at)
    return found < 0 ? undefined : found + mark.length
  }
  // Too little of it to tell a comment from what is not one.
  if (text.startsWith('<!', at) && text.length - at < CDATA.length) return undefined
  if (text.startsWith('<!--', at)) return after('-->')
  if (text.startsWith(CDATA, at)) return after(']]>')
  if (text.startsWith('<?', at)) return after('?>')
  // Nothing of the office's own declares a type; whoever does may also redefine what text means.
  if (text.startsWith('<!', at)) throw new Error('the XML declares a document type')
  let quote = ''
  for (let index = at + 1; index < text.length; index++) {
    const character = text[index] as string
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '>') return index + 1
  }
  return undefined
}

const sendMarkup = (markup: string, events: XmlEvents): void => {
  if (markup.startsWith(CDATA)) events.text?.(markup.slice(CDATA.length, -3))
  if (/^<[!?]/.test(markup)) return
  const [, slash, name, attributes = '', isEmpty] = TAG.exec(markup) ?? []
  if (name === undefined) throw new Error('the XML has a tag without a name')
  if (!slash) events.open(name, attributes)
  if (slash || isEmpty) events.close?.(name)
}
