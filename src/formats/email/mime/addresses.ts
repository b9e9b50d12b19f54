/** A mailbox; `group` names the list that it stands in. */
export type Address = { name: string | null; address: string | null; group?: string }

const MAX_ADDRESSES = 10_000

type Token = { kind: 'text' | 'quoted' | 'angle' | 'comment' | 'sign'; text: string }

/** The mailboxes of a header such as `To`; `raw` is not yet decoded, so that a comma in a name parts nothing. */
export const readAddresses = (raw: string, decode: (text: string) => string): Address[] => {
  const found: Address[] = []
  let group: string | undefined
  let tokens: Token[] = []
  const finish = (): void => {
    const address = toAddress(tokens, decode)
    tokens = []
    if (address && found.length < MAX_ADDRESSES) found.push(group === undefined ? address : { ...address, group })
  }
  for (const token of tokenize(raw)) {
    if (token.kind !== 'sign') tokens.push(token)
    else if (token.text === ':' && tokens.length > 0 && group === undefined) {
      group = decode(wordsOf(tokens)).trim()
      tokens = []
    } else if (token.text === ':') tokens.push({ kind: 'text', text: ':' })
    else {
      finish()
      if (token.text === ';') group = undefined
    }
  }
  finish()
  return found
}

const wordsOf = (tokens: readonly Token[]): string =>
  tokens
    .filter(({ kind }) => kind === 'text' || kind === 'quoted')
    .map(({ text }) => text)
    .join('')

const toAddress = (tokens: readonly Token[], decode: (text: string) => string): Address | undefined => {
  const angle = tokens.findLast(({ kind }) => kind === 'angle')?.text.trim()
  const words = decode(wordsOf(tokens)).replace(/\s+/g, ' ').trim()
  const comment = tokens.findLast(({ kind }) => kind === 'comment')?.text
  if (angle !== undefined) {
    // Routes are long dead: `<@relay:user@host>`.
    const address = decode(angle.replace(/^@[^:]*:/, ''))
    return { name: words || (comment && decode(comment).trim()) || null, address: address || null }
  }
  if (words === '') return undefined
  if (!/@/.test(words)) return { name: words, address: null }
  const bare = /^\S+$/.test(words) ? words : undefined
  if (bare) return { name: comment ? decode(comment).trim() || null : null, address: bare }
  const [, before = '', inside = words] = /^(.*?)(\S+@\S+)\s*$/.exec(words) ?? []
  return { name: before.trim() || null, address: inside }
}

function* tokenize(raw: string): Generator<Token> {
  let at = 0
  let text = ''
  while (at < raw.length) {
    const sign = raw[at] as string
    const closing = sign === '"' ? '"' : sign === '<' ? '>' : sign === '(' ? ')' : undefined
    if (closing === undefined) {
      if (sign === ',' || sign === ';' || sign === ':') {
        if (text !== '') yield { kind: 'text', text }
        text = ''
        yield { kind: 'sign', text: sign }
      } else text += sign
      at++
      continue
    }
    const end = findClosing(raw, at + 1, closing)
    if (text !== '') yield { kind: 'text', text }
    text = ''
    const inside = raw.slice(at + 1, end).replace(/\\([\s\S])/g, '$1')
    yield { kind: sign === '"' ? 'quoted' : sign === '<' ? 'angle' : 'comment', text: inside }
    at = end + 1
  }
  if (text !== '') yield { kind: 'text', text }
}

const findClosing = (raw: string, from: number, closing: string): number => {
  let depth = 1
  for (let at = from; at < raw.length; at++) {
    if (raw[at] === '\\') at++
    else if (closing === ')' && raw[at] === '(') depth++
    else if (raw[at] === closing && --depth === 0) return at
  }
  return raw.length
}

/** A mailbox as people read it: `Ann Lee <ann@example.org>`. */
export const writeAddress = ({ name, address }: Address): string =>
  name && address && name !== address ? `${name} <${address}>` : (address ?? name ?? '')
