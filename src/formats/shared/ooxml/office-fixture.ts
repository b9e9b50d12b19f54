import { ZipFile } from 'yazl'

/** Parts of an Office file by their names. */
export type Parts = Readonly<Record<string, string | Buffer>>

const MADE_AT = new Date('2026-01-01T00:00:00Z')
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const RELATIONSHIP_TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** An archive of these parts; the same bytes for the same parts. */
export const zipParts = async (parts: Parts): Promise<Buffer> => {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(parts)) {
    zip.addBuffer(Buffer.from(content), name, { mtime: MADE_AT, forceDosTimestamp: true })
  }
  zip.end()
  const pieces: Buffer[] = []
  for await (const piece of zip.outputStream as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** A relationships part; a target with a scheme is an outside one. */
export const relationships = (list: Readonly<Record<string, readonly [type: string, target: string]>>): string =>
  `${DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${Object.entries(
    list,
  )
    .map(([id, [type, target]]) => {
      const mode = /^[a-z]+:/.test(target) ? ' TargetMode="External"' : ''
      return `<Relationship Id="${id}" Type="${RELATIONSHIP_TYPES}/${type}" Target="${target}"${mode}/>`
    })
    .join('')}</Relationships>`

/** Namespaces of Word as Word declares them. */
export const WORD_NAMESPACES = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
  'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"',
  'xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"',
].join(' ')

/** Namespaces of PowerPoint. */
export const SLIDE_NAMESPACES = [
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"',
  'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"',
].join(' ')

/** A part with an XML declaration before it. */
export const xmlPart = (content: string): string => DECLARATION + content

type WordContent = {
  body: string
  styles?: string
  numbering?: string
  /** More parts below `word/`, each with its relationship type where it has one. */
  more?: Readonly<Record<string, { content: string | Buffer; type?: string; id?: string }>>
  links?: Readonly<Record<string, readonly [type: string, target: string]>>
  core?: string
  app?: string
}

/** The parts of a Word file around a body. */
export const wordParts = ({ body, styles, numbering, more = {}, links = {}, core, app }: WordContent): Parts => {
  const wrap = (root: string, content: string) => xmlPart(`<w:${root} ${WORD_NAMESPACES}>${content}</w:${root}>`)
  const own: Record<string, readonly [string, string]> = { ...links }
  if (styles) own.styles = ['styles', 'styles.xml']
  if (numbering) own.numbering = ['numbering', 'numbering.xml']
  for (const [name, { type, id }] of Object.entries(more)) if (type) own[id ?? name] = [type, name]
  return {
    '_rels/.rels': relationships({
      document: ['officeDocument', 'word/document.xml'],
      ...(core ? { core: ['metadata/core-properties', 'docProps/core.xml'] as const } : {}),
      ...(app ? { app: ['extended-properties', 'docProps/app.xml'] as const } : {}),
    }),
    'word/document.xml': wrap('document', `<w:body>${body}</w:body>`),
    'word/_rels/document.xml.rels': relationships(own),
    ...(styles ? { 'word/styles.xml': wrap('styles', styles) } : {}),
    ...(numbering ? { 'word/numbering.xml': wrap('numbering', numbering) } : {}),
    ...(core ? { 'docProps/core.xml': xmlPart(core) } : {}),
    ...(app ? { 'docProps/app.xml': xmlPart(app) } : {}),
    ...Object.fromEntries(Object.entries(more).map(([name, { content }]) => [`word/${name}`, content])),
  }
}
