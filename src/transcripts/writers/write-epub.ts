import { createHash } from 'node:crypto'
import type { Transcript } from '../model.ts'
import { type Chapter, type DocumentOptions, groupChapters } from './chapters.ts'
import { cleanText, escapeXml } from './clean-text.ts'
import { formatClock } from './format-time.ts'
import { isRightToLeft, languageTag, runsRightToLeft } from './language.ts'
import type { Paragraph, Turn } from './turns.ts'
import { type ZipPart, zipParts } from './zip-parts.ts'

const CONTAINER = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
`

const STYLE = `body { line-height: 1.5; margin: 1em; }
h2 { font-size: 1em; margin: 1.5em 0 0.3em; page-break-after: avoid; }
p { margin: 0 0 0.8em; }
time { color: #767676; font-size: 0.8em; font-weight: normal; }
`

/** The format wants a date; a fixed one keeps the same transcript the same file. */
const MODIFIED = '2000-01-01T00:00:00Z'

/** What was said as an EPUB 3, a file for each part. */
export const writeEpub = (transcript: Transcript, options: DocumentOptions): Promise<Uint8Array> => {
  const { language } = transcript
  const title = cleanText(options.title) || '…'
  const spoken = groupChapters(transcript, { ...options, title })
  const chapters = spoken.length > 0 ? spoken : [{ title, startSeconds: 0, turns: [] }]
  const pages = chapters.map((chapter, index) => ({
    path: `EPUB/${pageName(index)}`,
    text: writePage(chapter.title, `<h1>${escapeXml(chapter.title)}</h1>\n${writeTurns(chapter, language)}`, language),
  }))
  return zipParts([
    { path: 'mimetype', text: 'application/epub+zip', isStored: true },
    { path: 'META-INF/container.xml', text: CONTAINER },
    { path: 'EPUB/package.opf', text: writePackage(title, language, pages) },
    { path: 'EPUB/nav.xhtml', text: writeNavigation(title, chapters, language) },
    { path: 'EPUB/style.css', text: STYLE },
    ...pages,
  ])
}

const pageName = (index: number): string => `part-${String(index + 1).padStart(3, '0')}.xhtml`

const writePackage = (title: string, language: string, pages: readonly ZipPart[]): string => {
  const items = pages.map(
    (_, index) => `<item id="p${index + 1}" href="${pageName(index)}" media-type="application/xhtml+xml"/>`,
  )
  const order = pages.map((_, index) => `<itemref idref="p${index + 1}"/>`)
  const direction = isRightToLeft(language) ? ' page-progression-direction="rtl"' : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="${languageTag(language)}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:uuid:${identify([title, language, ...pages.map(({ text }) => text)])}</dc:identifier>
<dc:title>${escapeXml(title)}</dc:title>
<dc:language>${languageTag(language)}</dc:language>
<meta property="dcterms:modified">${MODIFIED}</meta>
<meta property="schema:accessMode">textual</meta>
<meta property="schema:accessModeSufficient">textual</meta>
<meta property="schema:accessibilityFeature">tableOfContents</meta>
<meta property="schema:accessibilityHazard">none</meta>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="css" href="style.css" media-type="text/css"/>
${items.join('\n')}
</manifest>
<spine${direction}>
${order.join('\n')}
</spine>
</package>
`
}

/** A UUID made of the content, of the kind that is free for any making. */
const identify = (texts: readonly string[]): string => {
  const hash = createHash('sha256').update(JSON.stringify(texts)).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

const writeNavigation = (title: string, chapters: readonly Chapter[], language: string): string => {
  const items = chapters.map(({ title }, index) => `<li><a href="${pageName(index)}">${escapeXml(title)}</a></li>`)
  const list = `<nav epub:type="toc" id="toc"><h1>${escapeXml(title)}</h1><ol>\n${items.join('\n')}\n</ol></nav>\n`
  return writePage(title, list, language)
}

const writePage = (title: string, body: string, language: string): string => {
  const tag = languageTag(language)
  const direction = isRightToLeft(language) ? ' dir="rtl"' : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${tag}" xml:lang="${tag}"${direction}>
<head><title>${escapeXml(title)}</title><link rel="stylesheet" type="text/css" href="style.css"/></head>
<body>
${body}</body>
</html>
`
}

const writeTurns = ({ turns }: Chapter, language: string): string =>
  turns.map((turn) => writeTurn(turn, language)).join('')

const writeTurn = ({ speaker, paragraphs }: Turn, language: string): string => {
  const first = paragraphs[0]
  const heading = speaker === null || first === undefined ? '' : `<h2>${escapeXml(speaker)} ${writeTime(first)}</h2>\n`
  const parts = paragraphs.map((paragraph, index) => {
    const { text } = paragraph
    const isTurned = runsRightToLeft(text, language)
    const direction = isTurned === isRightToLeft(language) ? '' : ` dir="${isTurned ? 'rtl' : 'ltr'}"`
    const time = heading === '' || index > 0 ? `${writeTime(paragraph)} ` : ''
    return `<p${direction}>${time}${escapeXml(text)}</p>\n`
  })
  return heading + parts.join('')
}

// With a direction of its own a time keeps its side of the name, whichever way the line runs.
const writeTime = ({ startSeconds }: Paragraph): string => `<time dir="ltr">${formatClock(startSeconds)}</time>`
