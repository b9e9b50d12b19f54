import type { Parts } from '../shared/ooxml/office-fixture.ts'

const OASIS = 'urn:oasis:names:tc:opendocument:xmlns'
const NAMESPACES = [
  ...Object.entries({
    office: 'office',
    style: 'style',
    text: 'text',
    table: 'table',
    draw: 'drawing',
    fo: 'xsl-fo-compatible',
    svg: 'svg-compatible',
    meta: 'meta',
    presentation: 'presentation',
    chart: 'chart',
  }).map(([prefix, name]) => `xmlns:${prefix}="${OASIS}:${name}:1.0"`),
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
  'xmlns:math="http://www.w3.org/1998/Math/MathML"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"',
].join(' ')
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** What a document of a test is made of, as XML without namespaces declared. */
export type OdfContent = {
  /** What is in the body: `office:text`, `office:presentation`, `office:drawing` with all they hold. */
  body: string
  automaticStyles?: string
  styles?: string
  /** Styles that only headers and footers use. */
  masterAutomaticStyles?: string
  masterStyles?: string
  meta?: string
  /** More files of the archive. */
  more?: Parts
}

const root = (name: string, content: string): string =>
  `${DECLARATION}<office:${name} ${NAMESPACES}>${content}</office:${name}>`
const wrap = (name: string, content = ''): string =>
  content === '' ? '' : `<office:${name}>${content}</office:${name}>`

/** An XML file of a document that stands inside another one. */
export const objectPart = (content: string): string => root('document-content', content)

/** The files of a document around its body. */
export const odfParts = (type: string, content: OdfContent): Parts => ({
  mimetype: `application/vnd.oasis.opendocument.${type}`,
  'content.xml': root(
    'document-content',
    `${wrap('automatic-styles', content.automaticStyles)}${wrap('body', content.body)}`,
  ),
  'styles.xml': root(
    'document-styles',
    `${wrap('styles', content.styles)}${wrap('automatic-styles', content.masterAutomaticStyles)}${wrap('master-styles', content.masterStyles)}`,
  ),
  ...(content.meta ? { 'meta.xml': root('document-meta', wrap('meta', content.meta)) } : {}),
  ...content.more,
})

/** The same in one XML file. */
export const flatOdf = (type: string, content: OdfContent): string =>
  root(
    `document office:mimetype="application/vnd.oasis.opendocument.${type}"`,
    `${wrap('meta', content.meta)}${wrap('styles', content.styles)}${wrap('automatic-styles', content.automaticStyles)}${wrap('master-styles', content.masterStyles)}${wrap('body', content.body)}`,
  ).replace(/<\/office:document [^>]*>$/, '</office:document>')
