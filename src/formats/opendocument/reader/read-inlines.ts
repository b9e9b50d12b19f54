import { addText } from '../../shared/document/inline-content.ts'
import type { Block, Inline } from '../../shared/document/model.ts'
import { childOf, type Element, nameSet, textOf } from '../../shared/xml/tree.ts'
import { countBlanks } from './plain-lines.ts'
import { isDrawing, readDrawing, toBlocks } from './read-drawing.ts'
import { noteText, type Reading } from './reading.ts'
import { endAnnotation, markChange, readAnnotation } from './review.ts'
import type { TextStyle } from './styles.ts'

/** What stands in a paragraph, and what is anchored to it. */
export type ParagraphContent = {
  content: Inline[]
  /** Frames at the beginning of the paragraph, and those after its first text. */
  before: Block[]
  after: Block[]
  bookmarks: string[]
}

export type ReadBlocks = (element: Element) => Block[]

/** What belongs to the document and not to its text. */
const SILENT = nameSet(`
  text:note-citation office:event-listeners text:script text:toc-mark text:toc-mark-start text:toc-mark-end
  text:alphabetical-index-mark text:alphabetical-index-mark-start text:alphabetical-index-mark-end text:user-index-mark
  text:user-index-mark-start text:user-index-mark-end text:number svg:title svg:desc text:soft-page-break
  presentation:notes office:forms draw:control
`)

/** Reads the content of `text:p` or `text:h`. */
export const readInlines = (
  paragraph: Element,
  reading: Reading,
  style: TextStyle,
  readBlocks: ReadBlocks,
): ParagraphContent => {
  const found: ParagraphContent = { content: [], before: [], after: [], bookmarks: [] }
  const { content } = found
  // White space in the XML counts once, and not at all at the beginning.
  let isAfterBlank = true

  const say = (text: string, { hidden, ...plain }: TextStyle): void => {
    if (hidden || text === '') return
    noteText(reading, text)
    addText(content, text, plain)
  }

  const sayCollapsed = (raw: string, around: TextStyle): void => {
    let text = raw.replace(/[ \t\n\r]+/g, ' ')
    if (isAfterBlank && text.startsWith(' ')) text = text.slice(1)
    if (text === '') return
    isAfterBlank = text.endsWith(' ')
    say(text, around)
  }

  const visit = (element: Element, around: TextStyle): void => {
    for (const child of element.children) {
      if (typeof child === 'string') sayCollapsed(child, around)
      else visitElement(child, around)
    }
  }

  const visitElement = (element: Element, around: TextStyle): void => {
    const { attributes } = element
    switch (element.name) {
      case 'text:span':
        visit(element, mergeStyles(around, reading.styles.text(attributes['text:style-name'])))
        return
      case 'text:a': {
        const href = hrefOf(attributes['xlink:href'])
        visit(element, href ? { ...around, href } : around)
        return
      }
      case 'text:s':
        isAfterBlank = false
        say(' '.repeat(countBlanks(element)), around)
        return
      case 'text:tab':
        isAfterBlank = false
        say('\t', around)
        return
      case 'text:line-break':
        isAfterBlank = true
        if (!around.hidden) content.push({ kind: 'break' })
        return
      case 'text:note':
        readNote(element, reading, content, readBlocks)
        isAfterBlank = false
        return
      case 'text:ruby': {
        visit(childOf(element, 'text:ruby-base') ?? element, around)
        const spoken = textOf(childOf(element, 'text:ruby-text')).trim()
        if (spoken !== '') say(`(${spoken})`, around)
        return
      }
      case 'office:annotation':
        readAnnotation(element, reading)
        return
      case 'office:annotation-end':
        endAnnotation(element, reading)
        return
      case 'text:change-start':
      case 'text:change-end':
      case 'text:change':
        markChange(element, reading)
        return
      case 'text:bookmark':
      case 'text:bookmark-start':
      case 'text:reference-mark':
      case 'text:reference-mark-start':
        if (attributes['text:name']) found.bookmarks.push(attributes['text:name'])
        return
      case 'text:bookmark-ref':
      case 'text:reference-ref': {
        const target = attributes['text:ref-name']
        visit(element, target ? { ...around, href: `#${target}` } : around)
        return
      }
      case 'text:hidden-text':
        if (attributes['text:is-hidden'] === 'false') visit(element, around)
        return
    }
    if (attributes['text:display'] === 'none' || SILENT.has(element.name)) return
    if (!isDrawing(element)) {
      visit(element, around)
      return
    }
    const drawing = readDrawing(element, reading, readBlocks)
    if (!drawing || around.hidden) return
    isAfterBlank = false
    const stands = attributes['text:anchor-type']
    if ('inline' in drawing && (stands === undefined || stands === 'as-char')) content.push(drawing.inline)
    else (content.some(isShown) ? found.after : found.before).push(...toBlocks(drawing))
  }

  visit(paragraph, style)
  return found
}

const isShown = (inline: Inline): boolean => inline.kind !== 'text' || inline.text.trim() !== ''

const mergeStyles = (around: TextStyle, own: TextStyle): TextStyle =>
  Object.keys(own).length === 0 ? around : { ...around, ...own }

/** Links that lead somewhere: other files beside this one are not part of it. */
const hrefOf = (raw: string | undefined): string | undefined => {
  const href = raw?.trim() ?? ''
  if (href === '' || /^(?:javascript|vbscript|data|file|vnd\.sun\.star\.\w+):/i.test(href)) return undefined
  return href
}

const MAX_NOTES = 100_000

const readNote = (element: Element, reading: Reading, content: Inline[], readBlocks: ReadBlocks): void => {
  const body = childOf(element, 'text:note-body')
  if (!body || reading.notes.length >= MAX_NOTES) return
  const kind = element.attributes['text:note-class'] === 'endnote' ? 'endnote' : 'footnote'
  const id = `note-${reading.notes.length + 1}`
  const citation = childOf(element, 'text:note-citation')
  const label = (citation?.attributes['text:label'] ?? textOf(citation)).trim()
  const note = { id, kind, ...(label ? { label } : {}), blocks: [] as Block[] } as const
  reading.notes.push(note)
  note.blocks.push(...readBlocks(body))
  content.push({ kind: 'note', id })
}
