import type { Segment, Transcript } from '../model.ts'
import { type DocumentOptions, groupChapters } from './chapters.ts'
import { cleanText } from './clean-text.ts'
import { escapeMarkdown, escapeTarget } from './escape-markdown.ts'
import { formatClock } from './format-time.ts'
import { segmentTimes } from './timed-tokens.ts'
import { groupTurns, type Turn } from './turns.ts'

/** A picture of the video and where it lies beside the document. */
export type Frame = { timeSeconds: number; path: string }

export type MarkdownOptions = DocumentOptions & {
  /** Frames of the video: each is followed by what is said until the next. */
  frames?: readonly Frame[]
}

/** What was said as Markdown, each paragraph with its time. */
export const writeMarkdown = (transcript: Transcript, options: MarkdownOptions): string => {
  const title = cleanText(options.title)
  const { frames = [] } = options
  const body = frames.length > 0 ? writeFrames(transcript, frames) : writeChapters(transcript, { ...options, title })
  return `${[`# ${escapeMarkdown(title)}`, ...body].join('\n\n')}\n`
}

const writeChapters = (transcript: Transcript, options: DocumentOptions): string[] => {
  const chapters = groupChapters(transcript, options)
  const hasParts = chapters.length > 1
  return chapters.flatMap(({ title, turns }) => [
    ...(hasParts ? [`## ${escapeMarkdown(title)}`] : []),
    ...turns.flatMap(writeTurn),
  ])
}

const writeTurn = ({ speaker, paragraphs }: Turn): string[] =>
  paragraphs.map(({ startSeconds, text }, index) => {
    const name = speaker !== null && index === 0 ? `**${escapeMarkdown(speaker)}** ` : ''
    return `${name}\\[${formatClock(startSeconds)}\\] ${escapeMarkdown(text)}`
  })

/** A frame belongs to what is said from its time on; a segment belongs to the frame that is seen when it begins. */
const writeFrames = (transcript: Transcript, frames: readonly Frame[]): string[] => {
  const ordered = [...frames].sort((a, b) => a.timeSeconds - b.timeSeconds)
  const groups: Segment[][] = [[], ...ordered.map(() => [])]
  let seen = 0
  for (const segment of transcript.segments) {
    const { startSeconds } = segmentTimes(segment)
    while (seen < ordered.length && (ordered[seen] as Frame).timeSeconds <= startSeconds) seen++
    groups[seen]?.push(segment)
  }
  return groups.flatMap((segments, index) => {
    const frame = ordered[index - 1]
    const picture = frame ? [`![${formatClock(frame.timeSeconds)}](${escapeTarget(frame.path)})`] : []
    return [...picture, ...groupTurns(transcript, segments).flatMap(writeTurn)]
  })
}
