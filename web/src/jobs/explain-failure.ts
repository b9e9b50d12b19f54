import type { JobFailureCode } from '../../../src/core/errors.ts'

export type Failure = { code: string; detail: string; params?: Readonly<Record<string, unknown>> }
export type Explanation = { what: string; advice: string }

const EXPLANATIONS: Readonly<Record<JobFailureCode, Explanation>> = {
  'extract.pdf.no_markdown_content_found': {
    what: 'The chosen pages of this PDF hold no text to write down.',
    advice: 'It may be a scan. Try again with OCR, or take the pages as images.',
  },
  'extract.pdf.no_ocr_text_found': {
    what: 'No readable text was found on the pages.',
    advice: 'Check that the scan is sharp and upright, or choose the language of the text in the options.',
  },
  'extract.audio_transcription.provider_not_configured': {
    what: 'This kind of transcription is not available right now.',
    advice: 'Choose another mode or language, or try again later.',
  },
  'extract.source_unreadable': {
    what: 'The file is damaged, or is not what its name says.',
    advice: 'Open it on your own computer and save it anew, or check that its ending is the right one.',
  },
  'extract.source_encrypted': {
    what: 'The file is protected with a password.',
    advice: 'Send it again with the password in the options, or save a copy without one.',
  },
  'extract.limit_exceeded': {
    what: 'The file needs more room or work than this service allows.',
    advice: 'Ask for less in the options, for example fewer pages or frames, or split the file.',
  },
  'extract.timed_out': {
    what: 'The work took too long and was stopped.',
    advice: 'Ask for less in the options, or split the file into smaller parts.',
  },
  'extract.output_empty': {
    what: 'Nothing of what was asked for is in the file.',
    advice: 'Choose other outputs in the options.',
  },
  'extract.engine_failed': {
    what: 'A program that reads this kind of file failed on it.',
    advice: 'Try again with fewer outputs, or save the file anew in another version of its format.',
  },
  'extract.worker_lost': {
    what: 'The work was interrupted twice on our side.',
    advice: 'Try again. If it happens once more, tell the operator the number of the job.',
  },
  'transcribe.no_audio': {
    what: 'The file has no sound in it.',
    advice: 'Choose a file with an audio track, or extract frames and metadata instead.',
  },
  'transcribe.no_speech': {
    what: 'No speech was found in the recording.',
    advice: 'Check that somebody speaks in it, and that it is loud enough to be heard.',
  },
}

/** Why a job failed and what to do about it, for people. A failure is never charged. */
export const explainFailure = ({ code, detail }: Failure): Explanation =>
  Object.hasOwn(EXPLANATIONS, code)
    ? EXPLANATIONS[code as JobFailureCode]
    : { what: detail || 'The job failed.', advice: 'Try again, or tell the operator the number of the job.' }
