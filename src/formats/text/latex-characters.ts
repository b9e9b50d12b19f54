const COMBINING: Record<string, string> = {
  '`': '\u0300',
  "'": '\u0301',
  '^': '\u0302',
  '~': '\u0303',
  '"': '\u0308',
  '=': '\u0304',
  '.': '\u0307',
  u: '\u0306',
  v: '\u030c',
  H: '\u030b',
  c: '\u0327',
  k: '\u0328',
  d: '\u0323',
  b: '\u0331',
  r: '\u030a',
}

/** Letters and signs that have a command of their own. */
export const SYMBOLS: Record<string, string> = {
  ss: 'ß',
  ae: 'æ',
  AE: 'Æ',
  oe: 'œ',
  OE: 'Œ',
  o: 'ø',
  O: 'Ø',
  aa: 'å',
  AA: 'Å',
  l: 'ł',
  L: 'Ł',
  i: 'i',
  j: 'j',
  S: '§',
  P: '¶',
  pounds: '£',
  euro: '€',
  copyright: '©',
  dag: '†',
  ddag: '‡',
  ldots: '…',
  dots: '…',
  textellipsis: '…',
  textendash: '–',
  textemdash: '—',
  textbar: '|',
  textless: '<',
  textgreater: '>',
  textbackslash: '\\',
  textasciitilde: '~',
  textasciicircum: '^',
  textunderscore: '_',
  textquoteleft: '‘',
  textquoteright: '’',
  textquotedblleft: '“',
  textquotedblright: '”',
  textdegree: '°',
  textregistered: '®',
  texttrademark: '™',
  TeX: 'TeX',
  LaTeX: 'LaTeX',
  BibTeX: 'BibTeX',
  slash: '/',
  ' ': ' ',
  '\n': ' ',
  ',': ' ',
  ';': ' ',
  ':': ' ',
  '!': '',
  '/': '',
  '-': '',
  '@': '',
  '%': '%',
  '&': '&',
  '#': '#',
  $: '$',
  _: '_',
  '{': '{',
  '}': '}',
  quad: ' ',
  qquad: ' ',
  enspace: ' ',
  newline: '\n',
  and: ', ',
  And: ', ',
  AND: ', ',
}

/** True for `\'`, `\"`, `\c` and the like, which put an accent on what follows. */
export const isAccent = (command: string): boolean => Object.hasOwn(COMBINING, command)

/** `é` for accent `'` on `e`. */
export const accent = (command: string, letter: string): string => {
  const plain = letter.replace(/^\\(?=[ij]$)/, '')
  const [first = ' ', ...rest] = [...plain]
  return (first + (COMBINING[command] ?? '')).normalize('NFC') + rest.join('')
}

/** Quotes and dashes as LaTeX writes them in plain text. */
export const setType = (text: string): string =>
  text
    .replaceAll('---', '—')
    .replaceAll('--', '–')
    .replaceAll('``', '“')
    .replaceAll("''", '”')
    .replaceAll('`', '‘')
    .replaceAll('~', '\u00a0')
    .replace(/[\u00a0]/g, ' ')
