import { listSpeakers, type Segment, type Transcript, type Word } from '../model.ts'

const toMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000
const toShare = (confidence: number | null): number | null =>
  confidence === null ? null : Math.round(confidence * 1e4) / 1e4

/** The transcript itself; who wrote it down stays on the record of the job. */
export const writeJson = (transcript: Transcript): string => {
  const { language, durationSeconds, wordTimes, segments } = transcript
  const head = {
    language,
    durationSeconds: toMilliseconds(durationSeconds),
    wordTimes,
    speakers: listSpeakers(transcript),
  }
  const fields = Object.entries(head).map(([key, value]) => `  "${key}": ${JSON.stringify(value)}`)
  const listed = segments.map((segment) => `    ${JSON.stringify(describeSegment(segment))}`).join(',\n')
  return `{\n${fields.join(',\n')},\n  "segments": [${listed === '' ? '' : `\n${listed}\n  `}]\n}\n`
}

const describeSegment = ({ id, startSeconds, endSeconds, speaker, text, words }: Segment) => ({
  id,
  startSeconds: toMilliseconds(startSeconds),
  endSeconds: toMilliseconds(endSeconds),
  speaker,
  text: text.toWellFormed(),
  words: words.map(describeWord),
})

const describeWord = ({ text, startSeconds, endSeconds, confidence }: Word) => ({
  text: text.toWellFormed(),
  startSeconds: toMilliseconds(startSeconds),
  endSeconds: toMilliseconds(endSeconds),
  confidence: toShare(confidence),
})
