import type { MeetingAnalysis, TimelineEntry } from './model.ts'

/** What happened when: topics, decisions, tasks and open questions in the order of time. */
export const buildTimeline = ({
  topics,
  decisions,
  actionItems,
  openQuestions,
}: Pick<MeetingAnalysis, 'topics' | 'decisions' | 'actionItems' | 'openQuestions'>): TimelineEntry[] => {
  const entries: TimelineEntry[] = [
    ...topics.map(({ startSeconds, label, segmentIds }) => ({
      kind: 'topic' as const,
      startSeconds,
      text: label,
      segmentIds: segmentIds.slice(0, 1),
    })),
    ...mark('decision', decisions),
    ...mark('actionItem', actionItems),
    ...mark('openQuestion', openQuestions),
  ]
  return entries.sort((a, b) => a.startSeconds - b.startSeconds)
}

const mark = (kind: TimelineEntry['kind'], findings: MeetingAnalysis['decisions']): TimelineEntry[] =>
  findings.map(({ startSeconds, text, segmentIds }) => ({ kind, startSeconds, text, segmentIds }))
