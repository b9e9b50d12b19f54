import type { Block, Heading, Inline } from '../document/model.ts'
import { toLatex } from '../mathml/to-latex.ts'
import { toLinear } from '../mathml/to-linear.ts'
import { Flow, type Reading, type Style, splitInline } from './flow.ts'
import { readDefinitions, readList } from './read-list.ts'
import { holdsData, readTable } from './read-table.ts'
import { isHidden, styleInside } from './styles.ts'
import { type HtmlElement, type HtmlNode, shownText, textOf, walkElements } from './tree.ts'

/** Elements that begin and end a paragraph; all others stand in the line. */
const BLOCKS = new Set(
  `address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form
   h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre search section summary table
   tbody td tfoot th thead tr ul`.split(/\s+/),
)

/** The blocks of an element's content, in reading order. */
export const readBlocks = (element: HtmlElement, reading: Reading, depth = 0, style: Style = {}): Block[] => {
  const flow = new Flow()
  visitChildren(element, { flow, reading, depth, style })
  flow.endParagraph()
  return flow.blocks
}

type Visit = { flow: Flow; reading: Reading; depth: number; style: Style }

const visitChildren = (element: HtmlElement, visit: Visit): void => {
  for (const child of element.children) visitNode(child, visit)
}

const visitNode = (node: HtmlNode, visit: Visit): void => {
  if (typeof node === 'string') visit.flow.addText(node, visit.style)
  else if (!isHidden(node)) visitElement(node, { ...visit, style: styleInside(node, visit.style) })
}

const visitElement = (element: HtmlElement, visit: Visit): void =>
  BLOCKS.has(element.name) ? visitBlock(element, visit) : visitInline(element, visit)

const visitBlock = (element: HtmlElement, visit: Visit): void => {
  const { flow, reading, depth, style } = visit
  const inner = (inside: HtmlElement, innerDepth = depth): Block[] => readBlocks(inside, reading, innerDepth, style)
  flow.endParagraph()
  switch (element.name) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
      addHeading(element, Number(element.name[1]), visit)
      break
    case 'ul':
    case 'ol':
    case 'menu':
    case 'dir':
      for (const block of readList(element, depth, inner)) flow.add(block)
      break
    case 'dl':
      for (const block of readDefinitions(element, depth, inner)) flow.add(block)
      break
    case 'table':
      addTable(element, visit)
      break
    case 'pre':
      addCode(element, flow)
      break
    case 'blockquote': {
      const blocks = inner(element, 0)
      if (blocks.length > 0) flow.add({ kind: 'quote', blocks })
      break
    }
    case 'figure':
      addFigure(element, visit)
      break
    case 'hr':
      flow.add({ kind: 'rule' })
      break
    default:
      if (/^heading$/i.test(element.attributes.role ?? '')) {
        addHeading(element, Number(element.attributes['aria-level'] ?? 2), visit)
      } else visitChildren(element, visit)
  }
  flow.endParagraph()
}

const visitInline = (element: HtmlElement, visit: Visit): void => {
  const { flow, reading, style } = visit
  switch (element.name) {
    case 'br':
      flow.addInline({ kind: 'break' })
      break
    case 'wbr':
      break
    case 'img':
    case 'image':
      addImage(element, visit)
      break
    case 'a': {
      const note = reading.note?.(element)
      if (note !== undefined) {
        flow.addInline({ kind: 'note', id: note })
        break
      }
      const href = reading.href(element.attributes.href ?? '')
      visitChildren(element, href ? { ...visit, style: { ...style, href } } : visit)
      break
    }
    case 'q':
      flow.addText('“', style)
      visitChildren(element, visit)
      flow.addText('”', style)
      break
    case 'math':
      addFormula(element, flow)
      break
    case 'rp':
    case 'rtc':
      break
    case 'rt':
      if (shownText(element) !== '') flow.addText(`(${shownText(element)})`, style)
      break
    case 'select': {
      const options = [...walkElements(element)].filter(({ name }) => name === 'option')
      if (options[0]) flow.addText(shownText(options[0]), style)
      break
    }
    case 'textarea':
      flow.addText(textOf(element), { ...style, preformatted: true })
      break
    default:
      visitChildren(element, visit)
  }
}

const addHeading = (element: HtmlElement, wanted: number, { flow, reading, style }: Visit): void => {
  // Bold says nothing in a heading.
  const { content, rest } = splitInline(readBlocks(element, reading, 0, { ...style, bold: undefined }))
  const level = Math.min(6, Math.max(1, Math.floor(wanted) || 2)) as 1 | 2 | 3 | 4 | 5 | 6
  if (content.some((inline) => inline.kind !== 'text' || inline.text.trim() !== '')) {
    const heading: Heading = { kind: 'heading', level, content: content.map(unembolden) }
    reading.heading?.(element, heading)
    flow.add(heading)
  }
  for (const block of rest) flow.add(block)
}

const unembolden = (inline: Inline): Inline => {
  if (inline.kind !== 'text' || !inline.bold) return inline
  const { bold: _bold, ...plain } = inline
  return plain
}

const addTable = (element: HtmlElement, visit: Visit): void => {
  const table = holdsData(element)
    ? readTable(element, (cell) => readBlocks(cell, visit.reading, 0, styleInside(cell, visit.style)))
    : undefined
  if (table) visit.flow.add(table)
  else visitChildren(element, visit)
}

const addCode = (element: HtmlElement, flow: Flow): void => {
  const text = textOf(element).replace(/^\n/, '').replace(/\s+$/, '')
  if (text === '') return
  const names = [element, ...walkElements(element)].map(({ attributes }) => attributes.class ?? '').join(' ')
  const language = /(?:^|\s)(?:language|lang|highlight-source|brush:?)[-\s]([\w+#-]{1,30})/.exec(names)?.[1]
  flow.add({ kind: 'code', text, ...(language ? { language: language.toLowerCase() } : {}) })
}

/** A picture with its caption is one block; any other figure is what is in it. */
const addFigure = (element: HtmlElement, visit: Visit): void => {
  const { flow, reading, style } = visit
  const isCaption = (node: HtmlNode): node is HtmlElement => typeof node !== 'string' && node.name === 'figcaption'
  const caption = element.children.find(isCaption)
  const body = readBlocks({ ...element, children: element.children.filter((child) => !isCaption(child)) }, reading)
  const said = caption ? splitInline(readBlocks(caption, reading, 0, style)).content : []
  const [only] = body
  const [picture] = only?.kind === 'paragraph' ? only.content : []
  if (body.length === 1 && only?.kind === 'paragraph' && only.content.length === 1 && picture?.kind === 'image') {
    const { image, alt } = picture
    flow.add({ kind: 'image', image, ...(alt ? { alt } : {}), ...(said.length > 0 ? { caption: said } : {}) })
    return
  }
  for (const block of body) flow.add(block)
  if (said.length > 0) flow.add({ kind: 'paragraph', role: 'caption', content: said })
}

const addImage = ({ attributes }: HtmlElement, { flow, reading, style }: Visit): void => {
  const image = reading.image(attributes.src ?? attributes.href ?? '')
  const alt = attributes.alt?.replace(/\s+/g, ' ').trim()
  if (image) flow.addInline({ kind: 'image', image, ...(alt ? { alt } : {}) })
  else if (alt) flow.addText(alt, style)
}

const addFormula = (element: HtmlElement, flow: Flow): void => {
  const annotation = [...walkElements(element)].find(
    ({ name, attributes }) => name === 'annotation' && /tex/i.test(attributes.encoding ?? ''),
  )
  const latex = (annotation && shownText(annotation)) || toLatex(element)
  const shown = toLinear(element) || shownText(element)
  if (shown === '' && !latex) return
  const formula = { kind: 'formula', text: shown || (latex ?? ''), ...(latex ? { latex } : {}) } as const
  if (element.attributes.display === 'block') flow.add(formula)
  else flow.addInline(formula)
}
