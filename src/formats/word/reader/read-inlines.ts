import { addText, type InlineStyle } from '../../shared/document/inline-content.ts'
import type { Block, Inline } from '../../shared/document/model.ts'
import { toLatex } from '../../shared/ooxml/math/to-latex.ts'
import { toLinear } from '../../shared/ooxml/math/to-linear.ts'
import { decodeSymbols, isSymbolFont, symbolOf } from '../../shared/ooxml/symbol-fonts.ts'
import { childOf, childrenOf, type Element, findAll, textOf } from '../../shared/xml/tree.ts'
import { beginField, linkOf, shownWithoutResult } from './fields.ts'
import { placeDrawing } from './place-drawing.ts'
import { type Change, noteChange, noteCommentedText, type PartReading } from './reading.ts'
import { layRunProperties, type RunProperties, readRunProperties } from './run-properties.ts'
import { parseWhole } from './values.ts'

/** What a paragraph holds: lines of inlines, and blocks that stand between them. */
export type Segment = { content: Inline[] } | { block: Block }
export type ParagraphContent = {
  segments: Segment[]
  /** Pictures beside the text. */
  floating: Block[]
  /** Text boxes and the like that are anchored in the paragraph. */
  anchored: Block[]
  bookmarks: string[]
}

export type InlineSettings = {
  /** What the paragraph's style says of hidden text. */
  isHidden: boolean
  /** In a heading bold says nothing. */
  dropsBold: boolean
  /** Reads blocks inside a text box. */
  readBlocks: (container: Element) => Block[]
}

type Walk = ParagraphContent & InlineSettings & { part: PartReading; content: Inline[]; href: string | undefined }

/** Reads what stands in a paragraph. */
export const readInlines = (paragraph: Element, part: PartReading, settings: InlineSettings): ParagraphContent => {
  const content: Inline[] = []
  const walk: Walk = {
    ...settings,
    part,
    segments: [{ content }],
    floating: [],
    anchored: [],
    bookmarks: [],
    content,
    href: undefined,
  }
  for (const child of paragraph.children) if (typeof child !== 'string') visit(child, walk)
  return walk
}

type Reader = (element: Element, walk: Walk) => void

const visit: Reader = (element, walk) => READERS[element.name]?.(element, walk)

const visitChildren = (element: Element | undefined, walk: Walk): void => {
  for (const child of element?.children ?? []) if (typeof child !== 'string') visit(child, walk)
}

const withLink = (walk: Walk, href: string | undefined, read: () => void): void => {
  const outer = walk.href
  walk.href = href ?? outer
  read()
  walk.href = outer
}

const readHyperlink = (element: Element, walk: Walk): void => {
  const { 'r:id': id, 'w:anchor': anchor, 'w:docLocation': location } = element.attributes
  const address = id === undefined ? '' : (walk.part.relationships.get(id)?.target ?? '')
  const place = anchor ?? location
  const href = `${address}${place && !address.includes('#') ? `#${place}` : ''}`
  withLink(walk, href === '' ? undefined : href, () => visitChildren(element, walk))
}

const readAddition: Reader = (element, walk) => {
  noteChange(walk.part.reading, {
    ...changeOf(element, element.name === 'w:ins' ? 'insertion' : 'moved-to'),
    text: textBelow(element),
  })
  visitChildren(element, walk)
}

const readRemoval: Reader = (element, walk) =>
  noteChange(walk.part.reading, {
    ...changeOf(element, element.name === 'w:del' ? 'deletion' : 'moved-from'),
    text: textBelow(element),
  })

const changeOf = ({ attributes }: Element, kind: Change['kind']): Omit<Change, 'text'> => ({
  kind,
  author: attributes['w:author'],
  date: attributes['w:date'],
})

const textBelow = (element: Element): string =>
  element.name === 'w:t' || element.name === 'w:delText' || element.name === 'm:t'
    ? textOf(element)
    : element.name === 'w:tab' || element.name === 'w:br'
      ? ' '
      : childrenOf(element).map(textBelow).join('')

const readRun = (run: Element, walk: Walk): void => {
  const own = readRunProperties(childOf(run, 'w:rPr'))
  const style = walk.part.reading.styles.character(own.style)
  const properties = style ? layRunProperties(style, own) : own
  const isHidden = properties.hidden ?? walk.isHidden
  const inlineStyle = styleOf(properties, style?.isCode ?? false, walk)
  for (const child of run.children) {
    if (typeof child !== 'string') readRunChild(child, { walk, isHidden, properties, inlineStyle })
  }
}

const PLAIN: InlineStyle = {}

const styleOf = (
  { bold, italic, underline, strike, script }: RunProperties,
  isCode: boolean,
  walk: Walk,
): InlineStyle => {
  const href = linkNow(walk)
  const isBold = bold && !walk.dropsBold
  if (!isBold && !italic && !underline && !strike && !isCode && !href && (script === undefined || script === 'none'))
    return PLAIN
  return {
    ...(isBold ? { bold: true } : {}),
    ...(italic ? { italic: true } : {}),
    // Links are underlined because they are links.
    ...(underline && !href ? { underline: true } : {}),
    ...(strike ? { strike: true } : {}),
    ...(isCode ? { code: true } : {}),
    ...(script && script !== 'none' ? { script } : {}),
    ...(href ? { href } : {}),
  }
}

const linkNow = (walk: Walk): string | undefined => {
  const href = walk.href ?? walk.part.fields.findLast((field) => field.href !== undefined)?.href
  if (href?.startsWith('#')) walk.part.reading.hasInternalLinks = true
  return href
}

type Run = { walk: Walk; isHidden: boolean; properties: RunProperties; inlineStyle: InlineStyle }

type RunReader = (element: Element, run: Run) => void

const readRunChild: RunReader = (element, run) => {
  const { fields } = run.walk.part
  const field = fields.at(-1)
  if (element.name === 'w:fldChar') readFieldMark(element, run)
  else if (element.name === 'w:instrText') {
    if (field?.phase === 'instruction') field.instruction += textOf(element)
  } else if (!run.isHidden && !fields.some(({ phase }) => phase === 'instruction')) {
    RUN_READERS[element.name]?.(element, run)
  }
}

const show = ({ walk, inlineStyle }: Run, text: string): void => {
  walk.part.reading.budget.countText(text)
  addText(walk.content, text, inlineStyle)
  if (walk.part.openComments.size > 0) noteCommentedText(walk.part, text)
}

const readText = (element: Element, font: string | undefined): string => {
  const text = textOf(element)
  const plain = isSymbolFont(font) ? decodeSymbols(text, font) : text
  // Soft hyphens say where a word may break, not how it is spelt.
  return /[\n\r\t\u00ad]/.test(plain) ? plain.replace(/[\n\r\t]+/g, ' ').replaceAll('\u00ad', '') : plain
}

const readSymbol = ({ attributes }: Element): string => {
  const code = Number.parseInt(attributes['w:char'] ?? '', 16)
  return Number.isInteger(code) && code > 0 && code < 0x110000 ? (symbolOf(attributes['w:font'], code) ?? '') : ''
}

const readBreak = (element: Element, walk: Walk): void => {
  if (element.attributes['w:type'] === 'page') addBlock(walk, { kind: 'page-break' })
  else walk.content.push({ kind: 'break' })
}

/** Puts a block between the lines before and the lines after. */
const addBlock = (walk: Walk, block: Block): void => {
  walk.content = []
  walk.segments.push({ block }, { content: walk.content })
}

const readFieldMark = (element: Element, run: Run): void => {
  const { fields } = run.walk.part
  const field = fields.at(-1)
  switch (element.attributes['w:fldCharType']) {
    case 'begin':
      if (fields.length < MAX_FIELDS) fields.push(beginField(element))
      return
    case 'separate':
      if (!field) return
      field.phase = 'result'
      field.href = linkOf(field.instruction)
      return
    case 'end': {
      const ended = fields.pop()
      if (!ended || run.isHidden || fields.some(({ phase }) => phase === 'instruction')) return
      // Check boxes and lists to choose from have no result, or one that is empty.
      if (ended.phase === 'instruction' || ended.formText !== undefined) show(run, shownWithoutResult(ended))
    }
  }
}
const MAX_FIELDS = 200

const referToNote = (element: Element, walk: Walk): void => {
  const kind = element.name === 'w:footnoteReference' ? 'footnote' : 'endnote'
  const number = parseWhole(element.attributes['w:id'])
  if (number === undefined) return
  const id = `${kind}-${number}`
  walk.part.reading.noteIds.add(id)
  walk.content.push({ kind: 'note', id })
}

const addFormula = (formula: Element, walk: Walk, isDisplayed: boolean): void => {
  const text = toLinear(formula)
  const latex = toLatex(formula)
  if (latex === '') return
  noteCommentedText(walk.part, text)
  if (isDisplayed) addBlock(walk, { kind: 'formula', text, latex })
  else walk.content.push({ kind: 'formula', text, latex })
}

const READERS: Readonly<Record<string, Reader>> = {
  'w:r': readRun,
  'w:hyperlink': readHyperlink,
  'w:fldSimple': (element, walk) =>
    withLink(walk, linkOf(element.attributes['w:instr'] ?? ''), () => visitChildren(element, walk)),
  'w:ins': readAddition,
  'w:moveTo': readAddition,
  'w:del': readRemoval,
  'w:moveFrom': readRemoval,
  'w:sdt': (element, walk) => visitChildren(childOf(element, 'w:sdtContent'), walk),
  'w:smartTag': visitChildren,
  'w:customXml': visitChildren,
  'w:bdo': visitChildren,
  'w:dir': visitChildren,
  'm:oMath': (element, walk) => addFormula(element, walk, false),
  'm:oMathPara': (element, walk) => {
    for (const formula of findAll(element, 'm:oMath')) addFormula(formula, walk, true)
  },
  'w:bookmarkStart': ({ attributes }, walk) => {
    if (attributes['w:name']) walk.bookmarks.push(attributes['w:name'])
  },
  'w:commentRangeStart': ({ attributes }, { part }) => {
    part.openComments.add(attributes['w:id'] ?? '')
  },
  'w:commentRangeEnd': ({ attributes }, { part }) => {
    part.openComments.delete(attributes['w:id'] ?? '')
  },
}

const drawInto: RunReader = (element, { walk, inlineStyle }) => placeDrawing(element, { ...walk, style: inlineStyle })

const RUN_READERS: Readonly<Record<string, RunReader>> = {
  'w:t': (element, run) => show(run, readText(element, run.properties.font)),
  'w:tab': (_, run) => show(run, '\t'),
  'w:ptab': (_, run) => show(run, '\t'),
  'w:br': (element, { walk }) => readBreak(element, walk),
  'w:cr': (_, { walk }) => {
    walk.content.push({ kind: 'break' })
  },
  'w:noBreakHyphen': (_, run) => show(run, '-'),
  'w:sym': (element, run) => show(run, readSymbol(element)),
  'w:footnoteReference': (element, { walk }) => referToNote(element, walk),
  'w:endnoteReference': (element, { walk }) => referToNote(element, walk),
  'w:drawing': drawInto,
  'w:pict': drawInto,
  'w:object': drawInto,
  'w:ruby': (element, { walk }) => visitChildren(childOf(element, 'w:rubyBase'), walk),
}
