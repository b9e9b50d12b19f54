/** Where in a recording something was said. */
export type Citation = { segmentIds: readonly number[]; startSeconds: number; endSeconds: number }

/** Something that was said, in the words of who said it or of a model. */
export type Finding = Citation & { text: string; speaker: string | null }

/** A stretch of a meeting about one matter. */
export type Topic = Citation & { label: string; keywords: readonly string[] }

/** When something is due: in the words of the meeting and, where the day of the meeting is known, as a date. */
export type DueDate = { text: string; date: string | null }

/** Something that somebody is to do. */
export type ActionItem = Finding & { owner: string | null; due: DueDate | null }

/** How one speaker took part. */
export type SpeakerShare = {
  speaker: string
  talkSeconds: number
  /** Share of all talk, 0 to 1. */
  talkShare: number
  words: number
  turns: number
  longestTurn: Citation | null
  /** How often this speaker began before another had ended, and the other way round; short signs of assent aside. */
  interruptionsMade: number
  interruptionsReceived: number
}

/** Something worth a mark on the line of time. */
export type TimelineEntry = {
  kind: 'topic' | 'decision' | 'actionItem' | 'openQuestion'
  startSeconds: number
  text: string
  segmentIds: readonly number[]
}

/** What a meeting came to. Every finding cites the segments it rests on. */
export type MeetingAnalysis = {
  /** `heuristic`: rules and statistics. `model`: a language model, its citations checked. */
  method: 'heuristic' | 'model'
  language: string
  durationSeconds: number
  summary: readonly Finding[]
  topics: readonly Topic[]
  decisions: readonly Finding[]
  actionItems: readonly ActionItem[]
  openQuestions: readonly Finding[]
  keyQuotes: readonly Finding[]
  speakers: readonly SpeakerShare[]
  timeline: readonly TimelineEntry[]
  /** What the reader should know about how far to trust it. */
  notes: readonly string[]
}
