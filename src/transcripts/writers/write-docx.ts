import type { Transcript } from '../model.ts'
import { type DocumentOptions, groupChapters } from './chapters.ts'
import { cleanText, escapeXml } from './clean-text.ts'
import { DOCX_FRAME, docxProperties, docxStyles } from './docx-parts.ts'
import { formatClock } from './format-time.ts'
import { runsRightToLeft } from './language.ts'
import type { Paragraph, Turn } from './turns.ts'
import { zipParts } from './zip-parts.ts'

/** What was said as a Word document. */
export const writeDocx = (transcript: Transcript, options: DocumentOptions): Promise<Uint8Array> => {
  const title = cleanText(options.title)
  const { language } = transcript
  return zipParts([
    ...DOCX_FRAME,
    { path: 'docProps/core.xml', text: docxProperties(title, language) },
    { path: 'word/styles.xml', text: docxStyles(language) },
    { path: 'word/document.xml', text: writeDocument(transcript, { ...options, title }) },
  ])
}

const writeDocument = (transcript: Transcript, options: DocumentOptions): string => {
  const { language } = transcript
  const chapters = groupChapters(transcript, options)
  const body = chapters.map(({ title, turns }) => {
    const heading = chapters.length > 1 ? writeHeading('Heading1', title, language) : ''
    return heading + turns.map((turn) => writeTurn(turn, language)).join('')
  })
  const title = writeHeading('Title', options.title, language)
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:body>${title}${body.join('')}<w:sectPr><w:footerReference w:type="default" r:id="rId2"/><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:body></w:document>`
}

const writeHeading = (style: string, text: string, language: string): string => {
  const isTurned = runsRightToLeft(text, language)
  return writeParagraph(style, isTurned, writeRun(text, isTurned))
}

const writeTurn = ({ speaker, paragraphs }: Turn, language: string): string => {
  const first = paragraphs[0]
  if (speaker === null || first === undefined) return paragraphs.map((part) => writeText(part, language, true)).join('')
  const isTurned = runsRightToLeft(first.text, language)
  const name = writeRun(speaker, runsRightToLeft(speaker, language)) + writeSpace(isTurned) + writeTime(first)
  return [
    writeParagraph('Speaker', isTurned, name),
    ...paragraphs.map((part, index) => writeText(part, language, index > 0)),
  ].join('')
}

const writeText = (paragraph: Paragraph, language: string, hasTime: boolean): string => {
  const isTurned = runsRightToLeft(paragraph.text, language)
  const time = hasTime ? writeTime(paragraph) + writeSpace(isTurned) : ''
  return writeParagraph('Normal', isTurned, time + writeRun(paragraph.text, isTurned))
}

const writeParagraph = (style: string, isTurned: boolean, runs: string): string =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/>${isTurned ? '<w:bidi/>' : ''}</w:pPr>${runs}</w:p>\n`

const writeRun = (text: string, isTurned: boolean): string =>
  `<w:r>${isTurned ? '<w:rPr><w:rtl/></w:rPr>' : ''}<w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`

const writeTime = ({ startSeconds }: Paragraph): string =>
  `<w:r><w:rPr><w:rStyle w:val="Time"/></w:rPr><w:t>${formatClock(startSeconds)}</w:t></w:r>`

/** A mark of direction in the space keeps a time on its side of the name, whichever way the line runs. */
const writeSpace = (isTurned: boolean): string => writeRun(isTurned ? ' \u200f ' : '  ', isTurned)
