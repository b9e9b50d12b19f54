import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { splitFileName } from '../../../core/artifact-names.ts'
import type { Artifact, Context, Source } from '../../../core/catalog.ts'
import { analyzeMeeting } from '../../../transcripts/analysis/analyze-meeting.ts'
import { analyzeWithModel } from '../../../transcripts/analysis/analyze-with-model.ts'
import type { MeetingAnalysis } from '../../../transcripts/analysis/model.ts'
import { writeAnalysisJson, writeAnalysisMarkdown } from '../../../transcripts/analysis/write-analysis.ts'
import type { Transcript } from '../../../transcripts/model.ts'
import { writeDocx } from '../../../transcripts/writers/write-docx.ts'
import { writeEpub } from '../../../transcripts/writers/write-epub.ts'
import { writeJson } from '../../../transcripts/writers/write-json.ts'
import { type Frame, writeMarkdown } from '../../../transcripts/writers/write-markdown.ts'
import { writePdf } from '../../../transcripts/writers/write-pdf.ts'
import { writeSrt } from '../../../transcripts/writers/write-srt.ts'
import { writeTxt } from '../../../transcripts/writers/write-txt.ts'
import { writeVtt } from '../../../transcripts/writers/write-vtt.ts'
import { askModel } from './transcript-model.ts'

/** The files that a transcript may be written as. */
export type TranscriptFile = 'txt' | 'json' | 'pdf' | 'docx' | 'md' | 'epub' | 'srt' | 'vtt'

const MEDIA_TYPES: Readonly<Record<TranscriptFile, string>> = {
  txt: 'text/plain; charset=utf-8',
  json: 'application/json',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  md: 'text/markdown; charset=utf-8',
  epub: 'application/epub+zip',
  srt: 'application/x-subrip',
  vtt: 'text/vtt; charset=utf-8',
}

export type TranscriptWish = {
  files: readonly TranscriptFile[]
  /** Whether it is a meeting that is to be analyzed. */
  isMeeting: boolean
  /** Pictures of the film, for the Markdown. */
  frames: readonly Frame[]
}

/** Writes a transcript as the files that were asked for, and for a meeting what it came to. */
export async function* writeTranscriptFiles(
  transcript: Transcript,
  { files, isMeeting, frames }: TranscriptWish,
  source: Source,
  context: Context,
): AsyncGenerator<Artifact> {
  const title = splitFileName(source.name).stem || 'Transcript'
  const analysis = isMeeting ? await analyze(transcript, context) : null
  const chapters = (analysis?.topics ?? []).map(({ label, startSeconds }) => ({ title: label, startSeconds }))
  const options = { title, chapters }
  const write: Readonly<Record<TranscriptFile, () => Promise<string | Uint8Array> | string>> = {
    txt: () => writeTxt(transcript),
    json: () => writeJson(transcript),
    pdf: async () => writePdf(transcript, { ...options, workspace: await mkdtemp(join(context.scratch, 'page-')) }),
    docx: () => writeDocx(transcript, options),
    md: () => writeMarkdown(transcript, { ...options, frames }),
    epub: () => writeEpub(transcript, options),
    srt: () => writeSrt(transcript),
    vtt: () => writeVtt(transcript),
  }
  for (const file of files) {
    context.progress(0.95)
    yield { path: `transcript.${file}`, mediaType: MEDIA_TYPES[file], data: await write[file]() }
  }
  if (!analysis) return
  const markdown = writeAnalysisMarkdown(analysis, { title })
  yield { path: 'analysis/meeting-analysis.md', mediaType: MEDIA_TYPES.md, data: markdown }
  yield { path: 'analysis/meeting-analysis.json', mediaType: MEDIA_TYPES.json, data: writeAnalysisJson(analysis) }
}

const analyze = async (transcript: Transcript, context: Context): Promise<MeetingAnalysis> => {
  if (!context.outside?.offer.completes) return analyzeMeeting(transcript)
  try {
    return await analyzeWithModel(transcript, askModel(context), { onProgress: () => context.progress(0.92) })
  } catch (error) {
    context.signal.throwIfAborted()
    context.warn(
      'transcript.analysis_model_failed',
      `The language model was of no use (${(error as Error).message}); the analysis is by rules.`,
    )
    return analyzeMeeting(transcript)
  }
}
