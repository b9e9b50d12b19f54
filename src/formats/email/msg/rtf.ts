import type { BodyPiece } from '../mail.ts'
import type { Charsets } from '../mime/charsets.ts'
import { pageName } from './properties.ts'

type Group = {
  /** Nothing in the group is text: fonts, colours, pictures. */
  isSkipped: boolean
  isHtmlTag: boolean
  isHtmlRtf: boolean
  unicodeSkip: number
  font: number
}

const MAX_DEPTH = 1_000
const SKIPPED = new Set(
  'fonttbl colortbl stylesheet info pict object header footer headerl headerr footerl footerr themedata datastore listtable listoverridetable rsidtbl generator xmlnstbl latentstyles fldinst'.split(
    ' ',
  ),
)
const SIGNS: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  sect: '\n',
  page: '\n',
  row: '\n',
  tab: '\t',
  cell: '\t',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
  zwj: '\u200d',
  zwnj: '\u200c',
}
const CHARSET_PAGES: Readonly<Record<number, number>> = {
  0: 1252,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
}
const TOKEN = /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/g

/** A body in RTF: the HTML or the plain text that was put into it, or else the text of it. */
export const readRtf = (rtf: Buffer, charsets: Charsets): BodyPiece => {
  const source = rtf.toString('latin1')
  const isHtml = /\\fromhtml1\b/.test(source.slice(0, 4_096))
  const text = readText(source, isHtml, charsets)
  return isHtml ? { kind: 'html', html: text } : { kind: 'text', text: text.replace(/\n{3,}/g, '\n\n').trim() }
}

const readText = (source: string, isHtml: boolean, charsets: Charsets): string => {
  const pages = readFontPages(source)
  const defaultPage = Number(/\\ansicpg(\d{1,5})/.exec(source.slice(0, 4_096))?.[1] ?? 1252)
  const groups: Group[] = [{ isSkipped: false, isHtmlTag: false, isHtmlRtf: false, unicodeSkip: 1, font: -1 }]
  const pieces: string[] = []
  let bytes: number[] = []
  let bytesPage = defaultPage
  let toSkip = 0
  let isIgnorable = false
  const flush = (): void => {
    if (bytes.length > 0) pieces.push(charsets.decode(Buffer.from(bytes), pageName(bytesPage)) ?? '')
    bytes = []
  }
  const isShown = ({ isSkipped, isHtmlRtf }: Group): boolean => !isSkipped && !isHtmlRtf
  const addText = (text: string, group: Group): void => {
    if (!isShown(group)) return
    const shown = toSkip > 0 ? text.slice(toSkip) : text
    toSkip = Math.max(0, toSkip - text.length)
    if (shown === '') return
    flush()
    pieces.push(shown)
  }
  for (const [whole, word, number, hex, symbol, brace, plain] of source.matchAll(TOKEN)) {
    const group = groups.at(-1) as Group
    if (brace === '{') {
      if (groups.length < MAX_DEPTH) groups.push({ ...group })
      isIgnorable = false
    } else if (brace === '}') {
      if (groups.length > 1) groups.pop()
      toSkip = 0
    } else if (hex !== undefined) {
      if (toSkip > 0) toSkip--
      else if (isShown(group)) {
        const page = pages.get(group.font) ?? defaultPage
        if (page !== bytesPage) flush()
        bytesPage = page
        bytes.push(Number.parseInt(hex, 16))
      }
    } else if (symbol !== undefined) {
      if (symbol === '*') isIgnorable = true
      else if ('\\{}'.includes(symbol)) addText(symbol, group)
      else if (symbol === '~') addText('\u00a0', group)
      else if (symbol === '_') addText('\u2011', group)
      else if (symbol === '\n' || symbol === '\r') addText('\n', group)
    } else if (word !== undefined) {
      const name = word.toLowerCase()
      if (name === 'u' && number !== undefined) {
        if (isShown(group)) {
          flush()
          pieces.push(String.fromCharCode(Number(number) & 0xffff))
        }
        toSkip = group.unicodeSkip
      } else if (name === 'uc') group.unicodeSkip = Math.min(10, Number(number ?? 1))
      else if (name === 'f') group.font = Number(number ?? 0)
      else if (name === 'htmlrtf') group.isHtmlRtf = isHtml && number !== '0'
      else if (name === 'htmltag') group.isHtmlTag = true
      else if (isIgnorable || SKIPPED.has(name)) group.isSkipped = true
      else if (Object.hasOwn(SIGNS, name) && isShown(group)) {
        const sign = SIGNS[name] as string
        // Between tags a line break is what stood in the HTML; in its text it would be one too many.
        addText(isHtml && sign === '\n' && !group.isHtmlTag ? '\n' : sign, group)
      }
      isIgnorable = false
    } else if (plain !== undefined) addText(plain, group)
    if (whole !== '' && brace === undefined && symbol !== '*') isIgnorable = false
  }
  flush()
  return pieces.join('')
}

/** Code pages of the fonts, which decide what a byte over 127 is. */
const readFontPages = (source: string): Map<number, number> => {
  const pages = new Map<number, number>()
  const start = source.indexOf('{\\fonttbl')
  if (start < 0) return pages
  const table = source.slice(start, start + 100_000)
  for (const [, font, charset] of table.matchAll(/\\f(\d{1,5})[^{};]{0,100}?\\fcharset(\d{1,3})/g)) {
    const page = CHARSET_PAGES[Number(charset)]
    if (page !== undefined && pages.size < 1_000) pages.set(Number(font), page)
  }
  return pages
}
