import type { OptionValues } from './catalog.ts'

/** The capability that adds a transcript to an extraction. */
export const TRANSCRIPT_CAPABILITY = 'media.transcript'

const include = (what: string) =>
  ({ type: 'boolean', defaultValue: true, detail: `Whether the result holds ${what}.` }) as const

/** What `options.transcription` of `/transcribe` may hold. */
export const TRANSCRIPTION_OPTIONS = {
  mode: {
    type: 'enum',
    allowedValues: ['fast', 'quality', 'meeting-intelligence'],
    defaultValue: 'fast',
    required: true,
  },
  language: {
    type: 'string',
    defaultValue: 'auto',
    maxLength: 35,
    pattern: 'auto|[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*',
    detail: 'BCP-47, or auto.',
  },
  includeTxt: include('transcript.txt'),
  includeJson: include('transcript.json'),
  includePdf: include('transcript.pdf'),
  includeDocx: include('transcript.docx'),
  includeMarkdown: include('transcript.md'),
  includeEpub: include('transcript.epub'),
  includeSrt: include('transcript.srt'),
  includeVtt: include('transcript.vtt'),
} as const
export type TranscriptionOptions = OptionValues<typeof TRANSCRIPTION_OPTIONS>
