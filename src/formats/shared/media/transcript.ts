import {
  type Capability,
  type Context,
  defineCapability,
  type Source,
  type TranscriptionSpec,
} from '../../../core/catalog.ts'
import { TRANSCRIPT_CAPABILITY, TRANSCRIPTION_OPTIONS, type TranscriptionOptions } from '../../../core/transcription.ts'
import { FFMPEG } from '../../../engines/ffmpeg.ts'
import { listSpeakers } from '../../../transcripts/model.ts'
import type { Frame } from '../../../transcripts/writers/write-markdown.ts'
import type { TranscriptFile } from './transcript-files.ts'

type Mode = (typeof TRANSCRIPTION_OPTIONS.mode.allowedValues)[number]

const CREDITS_PER_MINUTE: Readonly<Record<Mode, number>> = { fast: 2, quality: 5, 'meeting-intelligence': 8 }

const modes = TRANSCRIPTION_OPTIONS.mode.allowedValues.map((id) => ({ id, creditsPerMinute: CREDITS_PER_MINUTE[id] }))

/** Modes of transcription and what they cost, for every family that holds sound. What serves them is found at the start. */
export const transcription: TranscriptionSpec = {
  modes: modes.map((mode) => ({ ...mode, available: false })),
  languages: ['auto'],
}

/** What a transcript-only job is told beyond the mode; an extraction gets these files, and no JSON. */
type Included = Partial<Omit<TranscriptionOptions, 'mode'>>

const FILES: readonly { file: TranscriptFile; isWanted: (options: Included) => boolean }[] = [
  { file: 'txt', isWanted: ({ includeTxt = true }) => includeTxt },
  { file: 'json', isWanted: ({ includeJson = false }) => includeJson },
  { file: 'pdf', isWanted: ({ includePdf = true }) => includePdf },
  { file: 'docx', isWanted: ({ includeDocx = true }) => includeDocx },
  { file: 'md', isWanted: ({ includeMarkdown = true }) => includeMarkdown },
  { file: 'epub', isWanted: ({ includeEpub = true }) => includeEpub },
  { file: 'srt', isWanted: ({ includeSrt = true }) => includeSrt },
  { file: 'vtt', isWanted: ({ includeVtt = true }) => includeVtt },
]

/** Share of the work that is the listening; the rest is the writing. */
const LISTENING = 0.9

/** What is said, as text with times; of the families of sound and film. `listFrames` gives pictures that go along. */
export const transcriptCapability = (
  listFrames: (source: Source, context: Context) => Promise<readonly Frame[]> = async () => [],
): Capability =>
  defineCapability({
    id: TRANSCRIPT_CAPABILITY,
    output: 'transcript',
    defaultSelected: false,
    detail: 'What is said, as text, document and subtitles.',
    options: { 'transcription.mode': TRANSCRIPTION_OPTIONS.mode },
    tools: [FFMPEG],
    addOns: modes.map(({ id, creditsPerMinute }) => ({
      metric: 'minutes',
      per: 1,
      credits: creditsPerMinute,
      when: { option: 'transcription.mode', value: id },
    })),
    async *extract(source, options, context) {
      const [{ makeTranscript }, { openRecording }, { writeTranscriptFiles }] = await Promise.all([
        import('../../../transcripts/make-transcript.ts'),
        import('./transcript-recording.ts'),
        import('./transcript-files.ts'),
      ])
      const mode = options['transcription.mode']
      const included = options as Included
      const recording = await openRecording(source, context)
      const transcript = await makeTranscript(recording, {
        ...{ mode, language: included.language ?? 'auto', outside: context.outside, signal: context.signal },
        progress: (fraction) => context.progress(fraction * LISTENING),
        warn: context.warn,
      })
      context.outside?.report({
        ...transcript.engine,
        ...{ mode, language: transcript.language, durationSeconds: transcript.durationSeconds },
        segmentCount: transcript.segments.length,
        speakerCount: mode === 'meeting-intelligence' ? listSpeakers(transcript).length : null,
      })
      const files = FILES.filter(({ isWanted }) => isWanted(included)).map(({ file }) => file)
      const wish = { files, isMeeting: mode === 'meeting-intelligence', frames: await listFrames(source, context) }
      yield* writeTranscriptFiles(transcript, wish, source, context)
    },
  })

/** For files that hold nothing but sound. */
export const transcript = transcriptCapability()
