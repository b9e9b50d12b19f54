import type { Transcript } from '../model.ts'
import { type Chapter, type DocumentOptions, groupChapters } from './chapters.ts'
import { cleanText } from './clean-text.ts'
import { formatClock } from './format-time.ts'
import { isRightToLeft, primaryLanguage, runsRightToLeft } from './language.ts'
import { chooseFonts, loadFonts } from './pdf-fonts.ts'
import { PDF_TEMPLATE } from './pdf-template.ts'
import type { Turn } from './turns.ts'

export type PdfOptions = DocumentOptions & {
  /** An empty folder: all of the file system that the typesetter may see. */
  workspace: string
}

/** With more turns than people take in a meeting each is one plain line: the typesetter holds all of them at once. */
const DENSE_TURNS = 6_000

/** What was said as a PDF. */
export const writePdf = async (transcript: Transcript, options: PdfOptions): Promise<Uint8Array> => {
  const { NodeCompiler } = await import('@myriaddreamin/typst-ts-node-compiler')
  const title = cleanText(options.title)
  const { language } = transcript
  const chapters = groupChapters(transcript, { ...options, title })
  const content = describeChapters(chapters, language)
  const fonts = chooseFonts(JSON.stringify([title, content]), language)
  const data = JSON.stringify({
    title,
    language: /^[a-z]{2,3}$/.test(primaryLanguage(language)) ? primaryLanguage(language) : 'en',
    isTurned: isRightToLeft(language),
    isTitleTurned: runsRightToLeft(title, language),
    isDense: chapters.reduce((sum, { turns }) => sum + turns.length, 0) > DENSE_TURNS,
    fonts: fonts.map(({ family }) => family),
    chapters: content,
  })
  const compiler = NodeCompiler.create({
    workspace: options.workspace,
    fontArgs: [{ fontBlobs: await loadFonts(fonts) }],
  })
  try {
    const compiled = compiler.compile({ mainFileContent: PDF_TEMPLATE, inputs: { data } })
    if (compiled.result === null) throw new Error(`typst: ${JSON.stringify(compiled.takeError()?.shortDiagnostics)}`)
    return compiler.pdf(compiled.result)
  } finally {
    // What is remembered between documents is kept by the process, not by the compiler.
    compiler.evictCache(0)
  }
}

const describeChapters = (chapters: readonly Chapter[], language: string) =>
  chapters.map(({ title, turns }) => ({
    title: chapters.length > 1 ? title : null,
    isTurned: runsRightToLeft(title, language),
    turns: turns.map((turn) => describeTurn(turn, language)),
  }))

const describeTurn = ({ speaker, paragraphs }: Turn, language: string) => ({
  speaker,
  time: formatClock(paragraphs[0]?.startSeconds ?? 0),
  isTurned: runsRightToLeft(paragraphs[0]?.text ?? '', language),
  paragraphs: paragraphs.map(({ startSeconds, text }, index) => ({
    text,
    time: speaker === null || index > 0 ? formatClock(startSeconds) : null,
    isTurned: runsRightToLeft(text, language),
  })),
})
