import type { Segment, Transcript } from '../model.ts'
import { cleanText } from './clean-text.ts'
import { formatClock } from './format-time.ts'
import { segmentTimes } from './timed-tokens.ts'
import { groupTurns, type Turn } from './turns.ts'

/** Where a part of a recording begins and what it is about. */
export type ChapterMark = { startSeconds: number; title: string }

/** How a document of a transcript is made. */
export type DocumentOptions = {
  title: string
  /** Parts by content, such as the topics of a meeting; without them a part is about ten minutes long. */
  chapters?: readonly ChapterMark[]
}

/** A part of a document. */
export type Chapter = { title: string; startSeconds: number; turns: readonly Turn[] }

const CHAPTER_SECONDS = 600
/** What is shorter needs no parts. */
const WHOLE_SECONDS = 900

/** The parts of a document; one of them, under the title of the whole, where the recording is short. */
export const groupChapters = (transcript: Transcript, { title, chapters = [] }: DocumentOptions): Chapter[] => {
  const marks =
    chapters.length > 0 ? [...chapters].sort((a, b) => a.startSeconds - b.startSeconds) : markTimes(transcript)
  const groups = groupSegments(transcript.segments, marks)
  return groups.map(({ mark, segments }) => ({
    title: (mark && cleanText(mark.title)) || title,
    startSeconds: mark?.startSeconds ?? 0,
    turns: groupTurns(transcript, segments),
  }))
}

const markTimes = ({ segments, durationSeconds }: Transcript): ChapterMark[] => {
  const lastSeconds = segments.reduce((latest, segment) => Math.max(latest, segmentTimes(segment).endSeconds), 0)
  if (Math.max(lastSeconds, durationSeconds) <= WHOLE_SECONDS) return []
  return Array.from({ length: Math.ceil(lastSeconds / CHAPTER_SECONDS) }, (_, index) => {
    const startSeconds = index * CHAPTER_SECONDS
    const endSeconds = Math.min(lastSeconds, startSeconds + CHAPTER_SECONDS)
    return { startSeconds, title: `${formatClock(startSeconds)} – ${formatClock(endSeconds)}` }
  })
}

type Group = { mark: ChapterMark | undefined; segments: Segment[] }

/** Parts in which nothing is said are left out; what is said before the first mark belongs to the first part. */
const groupSegments = (segments: readonly Segment[], marks: readonly ChapterMark[]): Group[] => {
  const groups: Group[] = []
  let next = 0
  for (const segment of segments) {
    const { startSeconds } = segmentTimes(segment)
    const before = next
    while (next < marks.length && ((marks[next] as ChapterMark).startSeconds <= startSeconds || next === 0)) next++
    const group = groups.at(-1)
    if (group && next === before) group.segments.push(segment)
    else groups.push({ mark: marks[next - 1], segments: [segment] })
  }
  return groups
}
