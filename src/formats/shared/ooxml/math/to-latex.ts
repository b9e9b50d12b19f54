import { childOf, childrenOf, type Element, textOf } from '../../xml/tree.ts'
import { ACCENTS, commandOf, FUNCTIONS, WIDE_ACCENTS } from './symbols.ts'
import { join, type RunStyle, trim, writeRun, writeSymbols } from './write-text.ts'

/** The LaTeX of a formula as Office writes it (`m:oMath`); empty where it says nothing. */
export const toLatex = (formula: Element): string =>
  trim(
    writeAll(childrenOf(formula))
      .replace(/ {2,}/g, ' ')
      .replace(/\\text\{([^{}]*)\}(?:\\text\{([^{}]*)\})+/g, mergeTexts),
  )

const mergeTexts = (texts: string): string =>
  `\\text{${[...texts.matchAll(/\\text\{([^{}]*)\}/g)].map(([, words]) => words).join('')}}`

const writeAll = (elements: readonly Element[]): string => {
  let out = ''
  for (const element of elements) out = join(out, write(element))
  return out
}

/** What is in an argument such as `m:e` or `m:num`. */
const argument = (element: Element | undefined, name: string): string => writeAll(childrenOf(childOf(element, name)))

const write = (element: Element): string => {
  const writer = WRITERS[element.name]
  if (writer) return writer(element)
  // Properties say nothing; wrappers of revisions and controls are seen through, save what was deleted.
  if (element.name.endsWith('Pr') || element.name === 'w:del' || element.name === 'w:moveFrom') return ''
  return writeAll(childrenOf(element))
}

const property = (element: Element, properties: string, name: string): string | undefined => {
  const found = childOf(childOf(element, properties), name)
  return found && (found.attributes['m:val'] ?? found.attributes.val ?? '')
}

/** Office writes a switch as an element: on unless it says otherwise. */
const isOn = (value: string | undefined): boolean => value !== undefined && !/^(?:0|off|false)$/.test(value)

const group = (text: string): string => `{${trim(text)}}`

/** Something that an exponent may follow: a fraction or a sum of several tokens needs braces. */
const asBase = (text: string): string => {
  const trimmed = trim(text)
  if (trimmed === '') return '{}'
  const isOneToken =
    /^(?:\\?[A-Za-z\d]|\\[A-Za-z]+|[A-Za-z\d]+)$/.test(trimmed) || isDelimited(trimmed) || isStyled(trimmed)
  return isOneToken ? trimmed : group(trimmed)
}
const isDelimited = (text: string): boolean =>
  /^\\left[\s\S]*\\right(?:[)\]|.]|\\[}|A-Za-z]+)$/.test(text) && text.indexOf('\\left', 1) < 0
const isStyled = (text: string): boolean => /^\\(?:math\w+|boldsymbol|operatorname|text)\{[^{}]*\}$/.test(text)

const SCRIPTS: Readonly<Record<string, string>> = {
  script: '\\mathcal',
  fraktur: '\\mathfrak',
  'double-struck': '\\mathbb',
  'sans-serif': '\\mathsf',
  monospace: '\\mathtt',
}

const runStyle = (run: Element): RunStyle => {
  const style = property(run, 'm:rPr', 'm:sty')
  return {
    isText: isOn(property(run, 'm:rPr', 'm:nor')),
    isUpright: style === 'p' || style === 'b',
    isBold: style === 'b' || style === 'bi',
    alphabet: SCRIPTS[property(run, 'm:rPr', 'm:scr') ?? ''],
  }
}

const runText = (run: Element): string =>
  childrenOf(run)
    .map((part) => (part.name === 'm:t' || part.name === 'w:t' ? textOf(part) : part.name === 'w:tab' ? ' ' : ''))
    .join('')

const fraction = (element: Element): string => {
  const numerator = argument(element, 'm:num')
  const denominator = argument(element, 'm:den')
  switch (property(element, 'm:fPr', 'm:type')) {
    case 'noBar':
      return `\\genfrac{}{}{0pt}{}${group(numerator)}${group(denominator)}`
    case 'lin':
      return `${asBase(numerator)}/${asBase(denominator)}`
    case 'skw':
      return `{}^${group(numerator)}\\!/_${group(denominator)}`
    default:
      return `\\frac${group(numerator)}${group(denominator)}`
  }
}

const radical = (element: Element): string => {
  const degree = isOn(property(element, 'm:radPr', 'm:degHide')) ? '' : trim(argument(element, 'm:deg'))
  return `\\sqrt${degree === '' ? '' : `[${degree}]`}${group(argument(element, 'm:e'))}`
}

const scripts = (sub: string, sup: string): string =>
  (trim(sub) === '' ? '' : `_${group(sub)}`) + (trim(sup) === '' ? '' : `^${group(sup)}`)

const nary = (element: Element): string => {
  const char = property(element, 'm:naryPr', 'm:chr') ?? '∫'
  const operator = commandOf(char) ?? (char === '' ? '\\int' : `\\mathop{${writeSymbols(char)}}`)
  const place = property(element, 'm:naryPr', 'm:limLoc')
  // Integrals have their limits beside them and sums above and below, unless the file says otherwise.
  const isIntegral = /int$/.test(operator)
  const limits = place === 'undOvr' && isIntegral ? '\\limits' : place === 'subSup' && !isIntegral ? '\\nolimits' : ''
  const sub = isOn(property(element, 'm:naryPr', 'm:subHide')) ? '' : argument(element, 'm:sub')
  const sup = isOn(property(element, 'm:naryPr', 'm:supHide')) ? '' : argument(element, 'm:sup')
  const marks = scripts(sub, sup)
  return join(`${operator}${marks === '' ? '' : limits}${marks}`, argument(element, 'm:e'))
}

const DELIMITERS: Readonly<Record<string, string>> = {
  '{': '\\{',
  '}': '\\}',
  '‖': '\\Vert',
  '∥': '\\Vert',
  '': '.',
  '<': '\\langle',
  '>': '\\rangle',
}
const delimiter = (char: string): string => DELIMITERS[char] ?? commandOf(char) ?? char

const MATRICES: Readonly<Record<string, string>> = {
  '()': 'pmatrix',
  '[]': 'bmatrix',
  '{}': 'Bmatrix',
  '||': 'vmatrix',
  '‖‖': 'Vmatrix',
}

const delimited = (element: Element): string => {
  const open = property(element, 'm:dPr', 'm:begChr') ?? '('
  const close = property(element, 'm:dPr', 'm:endChr') ?? ')'
  const separator = property(element, 'm:dPr', 'm:sepChr') ?? '|'
  const parts = childrenOf(element, 'm:e')
  const [only] = parts.length === 1 ? childrenOf(parts[0]).filter(({ name }) => name !== 'm:ctrlPr') : []
  if (only && childrenOf(parts[0]).filter(({ name }) => name !== 'm:ctrlPr').length === 1) {
    const environment = MATRICES[open + close]
    if (only.name === 'm:m' && environment) return matrix(only, environment)
    if (only.name === 'm:eqArr' && open === '{' && close === '') return equations(only, 'cases')
    if (only.name === 'm:f' && open === '(' && close === ')' && property(only, 'm:fPr', 'm:type') === 'noBar') {
      return `\\binom${group(argument(only, 'm:num'))}${group(argument(only, 'm:den'))}`
    }
  }
  const middle = separator === '|' ? '\\middle|' : writeSymbols(separator)
  const inside = parts
    .map((part) => trim(writeAll(childrenOf(part))))
    .reduce((all, part) => join(`${all}${middle}`, part))
  return join(join(`\\left${delimiter(open)}`, parts.length === 0 ? '' : inside), `\\right${delimiter(close)}`)
}

const rowsOf = (rows: readonly (readonly string[])[]): string => rows.map((row) => row.join(' & ')).join(' \\\\ ')

const matrix = (element: Element, environment = 'matrix'): string => {
  const rows = childrenOf(element, 'm:mr').map((row) =>
    childrenOf(row, 'm:e').map((cell) => trim(writeAll(childrenOf(cell)))),
  )
  return `\\begin{${environment}}${rowsOf(rows)}\\end{${environment}}`
}

/** Lines of equations; the `&` that Office writes in them are the places where they are aligned. */
const equations = (element: Element, environment = 'aligned'): string => {
  const rows = childrenOf(element, 'm:e').map((line) => [trim(writeAll(childrenOf(line))).replaceAll('\\&', '&')])
  if (rows.length === 1 && environment === 'aligned') return (rows[0]?.[0] ?? '').replaceAll('&', '')
  return `\\begin{${environment}}${rowsOf(rows)}\\end{${environment}}`
}

const accent = (element: Element): string => {
  const char = property(element, 'm:accPr', 'm:chr') ?? '\u0302'
  const base = trim(argument(element, 'm:e'))
  const command = ACCENTS.get(char)
  if (command === undefined) return char === '' ? base : `\\overset${group(writeSymbols(char))}${group(base)}`
  const isWide = base.replace(/\\[A-Za-z]+ ?/g, 'x').replace(/[{}]/g, '').length > 1
  return `${(isWide && WIDE_ACCENTS.get(command)) || command}${group(base)}`
}

const BRACES: Readonly<Record<string, readonly [over: string, under: string]>> = {
  '⏞': ['\\overbrace', '\\overbrace'],
  '⏟': ['\\underbrace', '\\underbrace'],
  '⏜': ['\\overparen', '\\overparen'],
  '⏝': ['\\underparen', '\\underparen'],
  '⎴': ['\\overbracket', '\\overbracket'],
  '⎵': ['\\underbracket', '\\underbracket'],
  '→': ['\\overrightarrow', '\\underrightarrow'],
  '←': ['\\overleftarrow', '\\underleftarrow'],
  '↔': ['\\overleftrightarrow', '\\underleftrightarrow'],
  '¯': ['\\overline', '\\underline'],
}

const groupCharacter = (element: Element): string => {
  const char = property(element, 'm:groupChrPr', 'm:chr') ?? '⏟'
  const isTop = property(element, 'm:groupChrPr', 'm:pos') === 'top'
  const base = group(argument(element, 'm:e'))
  const command = BRACES[char]?.[isTop ? 0 : 1]
  return command ? `${command}${base}` : `\\${isTop ? 'overset' : 'underset'}${group(writeSymbols(char))}${base}`
}

/** What stands under or over something: limits of a function, a note at a brace, or one thing set on another. */
const limit = (element: Element, isUpper: boolean): string => {
  const mark = group(argument(element, 'm:lim'))
  const base = functionName(childOf(element, 'm:e')) ?? trim(argument(element, 'm:e'))
  const takesLimits =
    /^\\(?:operatorname\*?\{[^{}]*\}|(?:lim|max|min|sup|inf|det|gcd|Pr|limsup|liminf|sum|prod|int)$|(?:over|under)(?:brace|bracket|paren)\{)/.test(
      base,
    )
  if (takesLimits) return `${base.replace(/^\\operatorname\{/, '\\operatorname*{')}${isUpper ? '^' : '_'}${mark}`
  return `\\${isUpper ? 'overset' : 'underset'}${mark}${group(base)}`
}

const functionName = (element: Element | undefined): string | undefined => {
  const runs = childrenOf(element).filter(({ name }) => name !== 'm:ctrlPr')
  if (runs.length === 0 || runs.some(({ name }) => name !== 'm:r')) return undefined
  const name = runs
    .map(runText)
    .join('')
    .replace(/[\s\u2061]+/g, ' ')
    .trim()
  if (FUNCTIONS.has(name)) return `\\${name}`
  const spaced = /^(lim) (sup|inf)$/.exec(name)
  if (spaced) return `\\${spaced[1]}${spaced[2]}`
  return /^[A-Za-z][A-Za-z ]+$/.test(name) ? `\\operatorname{${name.replaceAll(' ', '\\,')}}` : undefined
}

const functionOf = (element: Element): string => {
  const name = functionName(childOf(element, 'm:fName')) ?? trim(argument(element, 'm:fName'))
  const body = trim(argument(element, 'm:e'))
  if (body === '') return name
  return /^(?:\\left|\(|\[|\{)/.test(body) ? join(name, body) : `${name}{${body}}`
}

const preScripts = (element: Element): string =>
  `{}${scripts(argument(element, 'm:sub'), argument(element, 'm:sup'))}${asBase(argument(element, 'm:e'))}`

const WRITERS: Readonly<Record<string, (element: Element) => string>> = {
  'm:r': (run) => writeRun(runText(run), runStyle(run)),
  'w:r': (run) => writeRun(runText(run), { isText: true, isUpright: true, isBold: false }),
  'm:f': fraction,
  'm:rad': radical,
  'm:nary': nary,
  'm:d': delimited,
  'm:m': (element) => matrix(element),
  'm:eqArr': (element) => equations(element),
  'm:acc': accent,
  'm:bar': (element) =>
    `\\${property(element, 'm:barPr', 'm:pos') === 'top' ? 'overline' : 'underline'}${group(argument(element, 'm:e'))}`,
  'm:borderBox': (element) => `\\boxed${group(argument(element, 'm:e'))}`,
  'm:phant': (element) =>
    isOn(property(element, 'm:phantPr', 'm:show') ?? 'on')
      ? argument(element, 'm:e')
      : `\\phantom${group(argument(element, 'm:e'))}`,
  'm:func': functionOf,
  'm:groupChr': groupCharacter,
  'm:limLow': (element) => limit(element, false),
  'm:limUpp': (element) => limit(element, true),
  'm:sSub': (element) => asBase(argument(element, 'm:e')) + scripts(argument(element, 'm:sub'), ''),
  'm:sSup': (element) => asBase(argument(element, 'm:e')) + scripts('', argument(element, 'm:sup')),
  'm:sSubSup': (element) =>
    asBase(argument(element, 'm:e')) + scripts(argument(element, 'm:sub'), argument(element, 'm:sup')),
  'm:sPre': preScripts,
}
