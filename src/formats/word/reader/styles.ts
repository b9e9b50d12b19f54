import type { OfficePackage } from '../../shared/ooxml/package.ts'
import { readChildren } from '../../shared/ooxml/read-part.ts'
import { childOf, type Element, nameSet } from '../../shared/xml/tree.ts'
import { layRunProperties, type RunProperties, readRunProperties } from './run-properties.ts'
import { numberOf, parseWhole, settingOf, toggleOf } from './values.ts'

/** Which list a paragraph belongs to; list 0 is none. */
export type ListReference = { list: number; level: number | undefined }

/** What a paragraph is, by the names and properties of its style. */
export type ParagraphKind = 'title' | 'subtitle' | 'caption' | 'quote' | 'code' | 'continued-item' | 'toc'

/** A paragraph style with all that it inherits. */
export type ParagraphStyle = {
  kind: ParagraphKind | undefined
  /** 1 to 9. */
  headingLevel: number | undefined
  listReference: ListReference | undefined
  /** Depth that the name tells, as in `List Bullet 2`. */
  listDepth: number | undefined
  isRightToLeft: boolean
  runs: RunProperties
}
export type CharacterStyle = RunProperties & { isCode: boolean }

export type Styles = {
  paragraph(id: string | undefined): ParagraphStyle
  character(id: string | undefined): CharacterStyle | undefined
  /** The list that a numbering style stands for. */
  listOf(id: string): number | undefined
  /** Language of the document, where the defaults name one. */
  language: string | undefined
}

type RawStyle = {
  id: string
  name: string
  basedOn: string | undefined
  outlineLevel: number | undefined
  listReference: ListReference | undefined
  isRightToLeft: boolean | undefined
  runs: RunProperties
}

const MAX_INHERITANCE = 50
const MAX_STYLES = 20_000
/** Body text by decree: a style below a heading style that is none itself. */
const BODY_LEVEL = 9

const SKIPPED = nameSet(`
  w:latentStyles w:tblStylePr w:tblPr w:tcPr w:trPr w:rsid w:uiPriority w:qFormat w:semiHidden w:unhideWhenUsed
  w:pBdr w:spacing w:ind w:jc w:tabs w:sz w:szCs w:color w:bCs w:iCs w:shd w:kern w:contextualSpacing
`)

/** Reads the styles of a document; without a styles part every paragraph is a plain one. */
export const readStyles = async (file: OfficePackage, part: string | undefined): Promise<Styles> => {
  const raw = new Map<string, RawStyle>()
  let defaultParagraph: string | undefined
  let language: string | undefined
  if (part !== undefined) {
    await readChildren(
      file,
      part,
      (element) => {
        if (element.name === 'w:docDefaults') {
          language = childOf(childOf(childOf(element, 'w:rPrDefault'), 'w:rPr'), 'w:lang')?.attributes['w:val']
        }
        if (element.name !== 'w:style' || raw.size >= MAX_STYLES) return
        const style = readStyle(element)
        raw.set(style.id, style)
        const { 'w:type': type, 'w:default': isDefault } = element.attributes
        if (type === 'paragraph' && /^(?:1|true|on)$/.test(isDefault ?? '')) defaultParagraph = style.id
      },
      SKIPPED,
    )
  }
  return serveStyles(raw, defaultParagraph, language)
}

const readStyle = (element: Element): RawStyle => {
  const paragraph = childOf(element, 'w:pPr')
  return {
    id: element.attributes['w:styleId'] ?? '',
    name: (settingOf(element, 'w:name') ?? '').trim().toLowerCase(),
    basedOn: settingOf(element, 'w:basedOn'),
    outlineLevel: numberOf(paragraph, 'w:outlineLvl'),
    listReference: readListReference(paragraph),
    isRightToLeft: toggleOf(paragraph, 'w:bidi'),
    runs: readRunProperties(childOf(element, 'w:rPr')),
  }
}

/** The list that `w:pPr` names. */
export const readListReference = (properties: Element | undefined): ListReference | undefined => {
  const numbering = childOf(properties, 'w:numPr')
  if (!numbering) return undefined
  const list = numberOf(numbering, 'w:numId')
  const level = numberOf(numbering, 'w:ilvl')
  return list === undefined && level === undefined ? undefined : { list: list ?? -1, level }
}

const serveStyles = (
  raw: ReadonlyMap<string, RawStyle>,
  defaultParagraph: string | undefined,
  language: string | undefined,
): Styles => {
  const lineOf = (id: string | undefined): RawStyle[] => {
    const line: RawStyle[] = []
    for (let style = raw.get(id ?? ''); style && line.length < MAX_INHERITANCE; style = raw.get(style.basedOn ?? '')) {
      if (line.includes(style)) break
      line.push(style)
    }
    return line
  }
  const paragraphs = new Map<string, ParagraphStyle>()
  const characters = new Map<string, CharacterStyle>()
  return {
    language,
    paragraph(id) {
      const key = id ?? defaultParagraph ?? ''
      const known = paragraphs.get(key) ?? resolveParagraph(lineOf(key))
      paragraphs.set(key, known)
      return known
    },
    character(id) {
      if (id === undefined) return undefined
      const known = characters.get(id) ?? resolveCharacter(lineOf(id))
      characters.set(id, known)
      return known
    },
    listOf: (id) => lineOf(id).find(({ listReference }) => listReference)?.listReference?.list,
  }
}

const resolveParagraph = (line: readonly RawStyle[]): ParagraphStyle => {
  const listing = line.map(({ listReference }) => listReference).filter((reference) => reference !== undefined)
  const list = listing.find((reference) => reference.list >= 0)?.list
  return {
    kind: line.map(({ name }) => kindOf(name)).find((kind) => kind !== undefined),
    headingLevel: headingLevelOf(line),
    listReference:
      list === undefined ? undefined : { list, level: listing.find(({ level }) => level !== undefined)?.level },
    listDepth: line.map(({ name }) => depthOf(name)).find((depth) => depth !== undefined),
    isRightToLeft: line.find(({ isRightToLeft }) => isRightToLeft !== undefined)?.isRightToLeft ?? false,
    runs: line.toReversed().reduce((under, { runs }) => layRunProperties(under, runs), {} as RunProperties),
  }
}

const resolveCharacter = (line: readonly RawStyle[]): CharacterStyle => ({
  ...line.toReversed().reduce((under, { runs }) => layRunProperties(under, runs), {} as RunProperties),
  isCode: line.some(({ name }) => CODE_NAME.test(name)),
})

/** Names of headings where they are not the English ones that Word writes whatever its language. */
const HEADING_NAME =
  /^(?:heading|überschrift|titre|título|titulo|titolo|kop|rubrik|overskrift|otsikko|заголовок|nagłówek|nadpis|naslov|címsor|başlık|επικεφαλίδα|标题|標題|見出し|제목|đề mục|judul)\s*([1-9])$/

const headingLevelOf = (line: readonly RawStyle[]): number | undefined => {
  for (const { name, outlineLevel } of line) {
    if (outlineLevel !== undefined) return outlineLevel >= 0 && outlineLevel < BODY_LEVEL ? outlineLevel + 1 : undefined
    const named = HEADING_NAME.exec(name)
    if (named) return Number(named[1])
    if (name === 'toc heading') return 1
  }
  return undefined
}

const CODE_NAME =
  /^(?:html (?:code|keyboard|sample|typewriter|preformatted)|(?:source )?code(?: (?:block|char|text|listing))?|verbatim(?: char)?|macro(?: text)?|preformatted text|plain code|listing)$/

const kindOf = (name: string): ParagraphKind | undefined => {
  if (name === 'title') return 'title'
  if (name === 'subtitle') return 'subtitle'
  if (name === 'caption' || /^(?:table|image|figure) caption$/.test(name)) return 'caption'
  if (/^(?:intense )?quote$|^block ?(?:text|quote)$|^quotations?$/.test(name)) return 'quote'
  if (/^toc \d$/.test(name)) return 'toc'
  if (/^list continue/.test(name)) return 'continued-item'
  return CODE_NAME.test(name) ? 'code' : undefined
}

const depthOf = (name: string): number | undefined => {
  const depth = parseWhole(/^list (?:bullet|number|continue)? ?([2-5])$/.exec(name)?.[1])
  return depth === undefined ? undefined : depth - 1
}
