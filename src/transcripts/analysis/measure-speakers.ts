import { listSpeakers, type Segment, type Transcript } from '../model.ts'
import { segmentTimes } from '../writers/timed-tokens.ts'
import type { Citation, SpeakerShare } from './model.ts'
import { joinCitations } from './sentences.ts'

/** A shorter overlap is the blur of where an engine cuts. */
const OVERLAP_SECONDS = 0.3
/** "Yeah, right" while another speaks is assent, not an interruption. */
const ASSENT_WORDS = 2

type Spoken = Citation & { speaker: string; words: number }

/** How much each speaker talks, in how many turns, and who begins before another has ended. */
export const measureSpeakers = (transcript: Transcript): SpeakerShare[] => {
  const spoken = transcript.segments.flatMap(readSpoken)
  const turns = joinTurns(spoken)
  const interruptions = findInterruptions(spoken)
  const seconds = new Map(listSpeakers(transcript).map((speaker) => [speaker, addSeconds(spoken, speaker)]))
  const total = [...seconds.values()].reduce((sum, value) => sum + value, 0)
  return [...seconds].map(([speaker, talkSeconds]) => {
    const own = turns.filter((turn) => turn.speaker === speaker)
    const longest = own.reduce<Spoken | null>(
      (best, turn) => (best === null || lasts(turn) > lasts(best) ? turn : best),
      null,
    )
    return {
      speaker,
      talkSeconds: round(talkSeconds, 100),
      talkShare: total === 0 ? 0 : round(talkSeconds / total, 1000),
      words: own.reduce((sum, { words }) => sum + words, 0),
      turns: own.length,
      longestTurn: longest && joinCitations([longest]),
      interruptionsMade: interruptions.filter(({ by }) => by === speaker).length,
      interruptionsReceived: interruptions.filter(({ of }) => of === speaker).length,
    }
  })
}

const round = (value: number, parts: number): number => Math.round(value * parts) / parts
const lasts = ({ startSeconds, endSeconds }: Citation): number => endSeconds - startSeconds

const readSpoken = (segment: Segment): Spoken[] => {
  const { id, speaker, text, words } = segment
  if (speaker === null || text.trim() === '') return []
  const count = words.length || text.trim().split(/\s+/).length
  return [{ segmentIds: [id], ...segmentTimes(segment), speaker, words: count }]
}

const joinTurns = (spoken: readonly Spoken[]): Spoken[] => {
  const turns: Spoken[] = []
  for (const part of spoken) {
    const turn = turns.at(-1)
    if (turn?.speaker === part.speaker) {
      turns[turns.length - 1] = {
        ...joinCitations([turn, part]),
        speaker: part.speaker,
        words: turn.words + part.words,
      }
    } else turns.push(part)
  }
  return turns
}

/** The time of a speaker's segments; where they overlap it counts once. */
const addSeconds = (spoken: readonly Spoken[], speaker: string): number => {
  let free = 0
  let sum = 0
  for (const { speaker: own, startSeconds, endSeconds } of spoken) {
    if (own !== speaker) continue
    sum += Math.max(0, endSeconds - Math.max(startSeconds, free))
    free = Math.max(free, endSeconds)
  }
  return sum
}

const findInterruptions = (spoken: readonly Spoken[]): { by: string; of: string }[] => {
  let open: Spoken | undefined
  return spoken.flatMap((part) => {
    const other = open
    if (open === undefined || part.endSeconds > open.endSeconds) open = part
    if (other === undefined || other.speaker === part.speaker || part.words <= ASSENT_WORDS) return []
    const isInside = part.startSeconds > other.startSeconds && other.endSeconds - part.startSeconds >= OVERLAP_SECONDS
    return isInside ? [{ by: part.speaker, of: other.speaker }] : []
  })
}
