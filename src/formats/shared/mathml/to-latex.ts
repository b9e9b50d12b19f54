import { ACCENTS, commandOf, FUNCTIONS, WIDE_ACCENTS } from '../ooxml/math/symbols.ts'
import { join, trim, writeRun, writeSymbols, writeWords } from '../ooxml/math/write-text.ts'
import { elementsOf, type MathElement, nameOf, textBelow } from './tree.ts'

/** The LaTeX of a formula in MathML; empty where it says nothing. */
export const toLatex = (formula: MathElement): string => trim(writeAll(elementsOf(formula)).replace(/ {2,}/g, ' '))

const writeAll = (elements: readonly MathElement[]): string => {
  let out = ''
  for (const element of elements) out = join(out, write(element))
  return out
}

const write = (element: MathElement): string => {
  const writer = WRITERS[nameOf(element)]
  return writer ? writer(element) : writeAll(elementsOf(element))
}

const group = (text: string): string => `{${trim(text)}}`

const at = (element: MathElement, index: number): string => {
  const child = elementsOf(element)[index]
  return child && nameOf(child) !== 'none' ? trim(write(child)) : ''
}

/** Something that an exponent may follow. */
const asBase = (text: string): string =>
  /^(?:\\?[A-Za-z\d]|\\[A-Za-z]+|\d+)$|^\\(?:math\w+|operatorname\*?|text)\{[^{}]*\}$/.test(text) ? text : group(text)

const sub = (text: string): string => (text === '' ? '' : `_${group(text)}`)
const sup = (text: string): string => {
  if (text === '') return ''
  return /^(?:'|\\prime)+$/.test(text) ? text.replace(/\\prime/g, "'") : `^${group(text)}`
}

const VARIANTS: Readonly<Record<string, string>> = {
  script: '\\mathcal',
  fraktur: '\\mathfrak',
  'double-struck': '\\mathbb',
  'sans-serif': '\\mathsf',
  monospace: '\\mathtt',
}

const identifier = (element: MathElement): string => {
  const text = textBelow(element).replace(/\s+/g, ' ').trim()
  if (text === '') return ''
  if (FUNCTIONS.has(text)) return `\\${text}`
  const variant = element.attributes.mathvariant ?? ''
  const isUpright = variant === 'normal' || (variant === '' && /^\p{L}{2,}$/u.test(text))
  return writeRun(text, {
    isText: false,
    isUpright: isUpright && /^\p{L}{2,}$/u.test(text),
    isBold: variant.startsWith('bold'),
    alphabet: VARIANTS[variant],
  })
}

const SPACE_SIGNS = /[\u2061-\u2064\u200b\ufeff]/g

const operator = (element: MathElement): string => {
  const text = textBelow(element).replace(SPACE_SIGNS, '').trim()
  if (FUNCTIONS.has(text)) return `\\${text}`
  if (text === '{' || text === '}') return `\\${text}`
  return /^[A-Za-z]{2,}$/.test(text) ? `\\operatorname{${text}}` : writeSymbols(text)
}

const fraction = (element: MathElement): string => {
  const [top, bottom] = [group(at(element, 0)), group(at(element, 1))]
  return /^0(?:[a-z%]*)$/.test(element.attributes.linethickness ?? '')
    ? `\\genfrac{}{}{0pt}{}${top}${bottom}`
    : `\\frac${top}${bottom}`
}

const STACKED =
  /^\\(?:sum|prod|coprod|bigcup|bigcap|bigvee|bigwedge|bigoplus|bigotimes|int|iint|iiint|oint|lim|max|min|sup|inf|limsup|liminf|det|gcd|Pr|operatorname\*?\{[^{}]*\})$/

const BRACES: Readonly<Record<string, readonly [over: string, under: string]>> = {
  '⏞': ['\\overbrace', '\\overbrace'],
  '⏟': ['\\underbrace', '\\underbrace'],
  '¯': ['\\overline', '\\underline'],
  '‾': ['\\overline', '\\underline'],
  _: ['\\underline', '\\underline'],
  '̲': ['\\underline', '\\underline'],
  '→': ['\\overrightarrow', '\\underrightarrow'],
  '←': ['\\overleftarrow', '\\underleftarrow'],
}

/** What stands under and over something: limits of an operator, an accent, a brace, or one thing set on another. */
const underOver = (element: MathElement, under: number | undefined, over: number | undefined): string => {
  const base = at(element, 0)
  const below = under === undefined ? '' : at(element, under)
  const above = over === undefined ? '' : at(element, over)
  if (STACKED.test(base)) return `${base.replace(/^\\operatorname\{/, '\\operatorname*{')}${sub(below)}${sup(above)}`
  if (/^\\(?:over|under)brace\{/.test(base)) return `${base}${sub(below)}${sup(above)}`
  let out = base
  if (over !== undefined) out = decorate(out, elementsOf(element)[over], 0, above)
  if (under !== undefined) out = decorate(out, elementsOf(element)[under], 1, below)
  return out
}

const decorate = (base: string, mark: MathElement | undefined, place: 0 | 1, latex: string): string => {
  const char = mark ? textBelow(mark).trim() : ''
  const brace = BRACES[char]?.[place]
  if (brace && (/brace$/.test(brace) || place === 1 || base.length > 1)) return `${brace}${group(base)}`
  const accent = place === 0 ? (ACCENTS.get(char) ?? ACCENTS.get(COMBINING[char] ?? '')) : undefined
  if (accent) {
    const isWide = base.replace(/\\[A-Za-z]+ ?/g, 'x').replace(/[{}]/g, '').length > 1
    return `${(isWide && WIDE_ACCENTS.get(accent)) || accent}${group(base)}`
  }
  if (brace) return `${brace}${group(base)}`
  return latex === '' ? base : `\\${place === 0 ? 'overset' : 'underset'}${group(latex)}${group(base)}`
}

/** Accents as MathML writes them, free-standing, and the combining ones that they mean. */
const COMBINING: Readonly<Record<string, string>> = {
  '^': '\u0302',
  ˆ: '\u0302',
  '~': '\u0303',
  '˜': '\u0303',
  '.': '\u0307',
  '˙': '\u0307',
  '¨': '\u0308',
  '→': '\u20d7',
  ˇ: '\u030c',
  '˘': '\u0306',
  '´': '\u0301',
  '`': '\u0300',
  '¯': '\u0305',
}

const OPENING = new Set(['(', '[', '{', '|', '⟨', '⌈', '⌊', '‖', '〈'])
const CLOSING = new Set([')', ']', '}', '|', '⟩', '⌉', '⌋', '‖', '〉'])
const MATRICES: Readonly<Record<string, string>> = {
  '()': 'pmatrix',
  '[]': 'bmatrix',
  '{}': 'Bmatrix',
  '||': 'vmatrix',
  '‖‖': 'Vmatrix',
}

const delimiter = (char: string): string =>
  char === '{' || char === '}' ? `\\${char}` : char === '' ? '.' : (commandOf(char) ?? char)

/** A row that is a fence around a matrix is that matrix; any other is what is in it, one after the other. */
const row = (element: MathElement): string => {
  const parts = elementsOf(element)
  const [first, middle, last] = parts
  if (parts.length === 3 && first && middle && last && nameOf(first) === 'mo' && nameOf(last) === 'mo') {
    const open = textBelow(first).trim()
    const close = textBelow(last).trim()
    const table = onlyTable(middle)
    if (table) return fencedTable(table, open, close)
    if (OPENING.has(open) && CLOSING.has(close) && isTall(middle)) {
      return join(join(`\\left${delimiter(open)}`, trim(write(middle))), `\\right${delimiter(close)}`)
    }
  }
  if (parts.length === 2 && first && middle && nameOf(first) === 'mo' && textBelow(first).trim() === '{') {
    const table = onlyTable(middle)
    if (table) return matrix(table, 'cases')
  }
  return writeAll(parts)
}

const isTall = (element: MathElement): boolean =>
  nameOf(element) === 'mfrac' || nameOf(element) === 'mtable' || elementsOf(element).some(isTall)

const onlyTable = (element: MathElement): MathElement | undefined => {
  if (nameOf(element) === 'mtable') return element
  const parts = elementsOf(element)
  const [only] = parts
  return only && parts.length === 1 && /^m(?:row|style|padded)$/.test(nameOf(element)) ? onlyTable(only) : undefined
}

const fencedTable = (table: MathElement, open: string, close: string): string => {
  const environment = MATRICES[open + close]
  if (environment) return matrix(table, environment)
  return `\\left${delimiter(open)}${matrix(table, 'matrix')}\\right${delimiter(close)}`
}

const matrix = (table: MathElement, environment: string): string => {
  const rows = elementsOf(table).map((line) =>
    nameOf(line) === 'mtr' || nameOf(line) === 'mlabeledtr'
      ? elementsOf(line)
          .filter((cell) => nameOf(cell) === 'mtd')
          .map((cell) => trim(writeAll(elementsOf(cell))))
          .join(' & ')
      : trim(write(line)),
  )
  return `\\begin{${environment}}${rows.join(' \\\\ ')}\\end{${environment}}`
}

const fenced = (element: MathElement): string => {
  const { open = '(', close = ')', separators = ',' } = element.attributes
  const parts = elementsOf(element)
  const [only] = parts
  const table = parts.length === 1 && only ? onlyTable(only) : undefined
  if (table) return open === '{' && close === '' ? matrix(table, 'cases') : fencedTable(table, open, close)
  const signs = [...separators.replace(/\s/g, '')]
  const inside = parts.reduce((out, part, index) => {
    const sign = index === 0 ? '' : (signs[index - 1] ?? signs.at(-1) ?? '')
    return join(out + writeSymbols(sign), trim(write(part)))
  }, '')
  return join(join(`\\left${delimiter(open)}`, inside), `\\right${delimiter(close)}`)
}

const multiScripts = (element: MathElement): string => {
  const parts = elementsOf(element)
  const [base] = parts
  const split = parts.findIndex((part) => nameOf(part) === 'mprescripts')
  const after = parts.slice(1, split < 0 ? undefined : split)
  const before = split < 0 ? [] : parts.slice(split + 1)
  const scripts = (list: readonly MathElement[]): string => {
    const texts = list.map((part) => (nameOf(part) === 'none' ? '' : trim(write(part))))
    const lower = texts.filter((_, index) => index % 2 === 0).join('')
    const upper = texts.filter((_, index) => index % 2 === 1).join('')
    return sub(lower) + sup(upper)
  }
  const lead = scripts(before)
  return `${lead === '' ? '' : `{}${lead}`}${base ? asBase(trim(write(base))) : ''}${scripts(after)}`
}

const ENCLOSURES: Readonly<Record<string, string>> = {
  box: '\\boxed',
  updiagonalstrike: '\\cancel',
  top: '\\overline',
  bottom: '\\underline',
}

const WRITERS: Readonly<Record<string, (element: MathElement) => string>> = {
  mi: identifier,
  mn: (element) => writeSymbols(textBelow(element).replace(/\s+/g, '')),
  mo: operator,
  mtext: (element) => {
    const text = textBelow(element).replace(/\s+/g, ' ')
    return text.trim() === '' ? '\\ ' : writeWords(text)
  },
  ms: (element) => writeWords(textBelow(element)),
  mspace: () => '\\ ',
  mrow: row,
  math: row,
  mfrac: fraction,
  msqrt: (element) => `\\sqrt${group(writeAll(elementsOf(element)))}`,
  mroot: (element) => `\\sqrt[${at(element, 1)}]${group(at(element, 0))}`,
  msub: (element) => asBase(at(element, 0)) + sub(at(element, 1)),
  msup: (element) => asBase(at(element, 0)) + sup(at(element, 1)),
  msubsup: (element) => asBase(at(element, 0)) + sub(at(element, 1)) + sup(at(element, 2)),
  munder: (element) => underOver(element, 1, undefined),
  mover: (element) => underOver(element, undefined, 1),
  munderover: (element) => underOver(element, 1, 2),
  mmultiscripts: multiScripts,
  mtable: (element) => matrix(element, 'matrix'),
  mfenced: fenced,
  menclose: (element) => {
    const command = ENCLOSURES[(element.attributes.notation ?? '').split(/\s+/)[0] ?? '']
    const inside = writeAll(elementsOf(element))
    return command ? `${command}${group(inside)}` : inside
  },
  mphantom: (element) => `\\phantom${group(writeAll(elementsOf(element)))}`,
  semantics: (element) => {
    const [shown] = elementsOf(element)
    return shown ? write(shown) : ''
  },
  annotation: () => '',
  'annotation-xml': () => '',
}
