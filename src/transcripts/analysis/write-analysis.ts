import { escapeMarkdown } from '../writers/escape-markdown.ts'
import { formatClock } from '../writers/format-time.ts'
import type { ActionItem, Citation, Finding, MeetingAnalysis, SpeakerShare } from './model.ts'

const TIMES = new Set(['startSeconds', 'endSeconds', 'durationSeconds'])

/** `analysis/meeting-analysis.json`: the analysis as it is, times to the millisecond. */
export const writeAnalysisJson = (analysis: MeetingAnalysis): string => {
  const round = (key: string, value: unknown): unknown =>
    TIMES.has(key) && typeof value === 'number' ? Math.round(value * 1000) / 1000 : value
  return `${JSON.stringify(analysis, round, 2)}\n`
}

/** `analysis/meeting-analysis.md`: the analysis to read. */
export const writeAnalysisMarkdown = (analysis: MeetingAnalysis, { title }: { title: string }): string => {
  const { summary, topics, decisions, actionItems, openQuestions, keyQuotes, speakers, timeline, notes } = analysis
  const parts = [
    `# ${escapeMarkdown(title)}`,
    ...(notes.length === 0 ? [] : [notes.map((note) => `> ${escapeMarkdown(note)}`).join('\n>\n')]),
    ...section('Summary', summary.map(writeFinding)),
    ...section(
      'Topics',
      topics.map((topic) => `- **${escapeMarkdown(topic.label)}** ${spanOf(topic)}`),
    ),
    ...section('Decisions', decisions.map(writeFinding)),
    ...section('Action items', actionItems.map(writeAction)),
    ...section('Open questions', openQuestions.map(writeFinding)),
    ...section('Key quotes', keyQuotes.map(writeQuote)),
    ...(speakers.length === 0 ? [] : ['## Speakers', writeSpeakers(speakers)]),
    ...section(
      'Timeline',
      timeline.map(
        ({ startSeconds, kind, text }) =>
          `- \\[${formatClock(startSeconds)}\\] ${KINDS[kind]}: ${escapeMarkdown(text)}`,
      ),
    ),
  ]
  return `${parts.join('\n\n')}\n`
}

const KINDS = {
  topic: 'Topic',
  decision: 'Decision',
  actionItem: 'Action item',
  openQuestion: 'Open question',
} as const

const section = (heading: string, items: readonly string[]): string[] => [
  `## ${heading}`,
  items.length === 0 ? 'None found.' : items.join('\n'),
]

const cite = ({ startSeconds, segmentIds }: Citation): string => {
  const ids = segmentIds.length > 3 ? `${segmentIds[0]}–${segmentIds.at(-1)}` : segmentIds.join(', ')
  return `\\[${formatClock(startSeconds)}, segment ${ids}\\]`
}

const spanOf = ({ startSeconds, endSeconds }: Citation): string =>
  `\\[${formatClock(startSeconds)} – ${formatClock(endSeconds)}\\]`

const nameOf = (speaker: string | null): string => (speaker === null ? '' : `${escapeMarkdown(speaker)}: `)

const writeFinding = (finding: Finding): string =>
  `- ${nameOf(finding.speaker)}${escapeMarkdown(finding.text)} ${cite(finding)}`

const writeQuote = (quote: Finding): string =>
  `- “${escapeMarkdown(quote.text)}”${quote.speaker === null ? '' : ` — ${escapeMarkdown(quote.speaker)}`} ${cite(quote)}`

const writeAction = (item: ActionItem): string => {
  const { owner, due, text } = item
  const who = owner === null ? 'No owner' : escapeMarkdown(owner)
  const when = due === null ? '' : ` (due ${escapeMarkdown(due.text)}${due.date === null ? '' : `, ${due.date}`})`
  return `- **${who}**${when}: ${escapeMarkdown(text)} ${cite(item)}`
}

const writeSpeakers = (speakers: readonly SpeakerShare[]): string => {
  const rows = speakers.map((share) => {
    const { speaker, talkSeconds, talkShare, words, turns, longestTurn, interruptionsMade, interruptionsReceived } =
      share
    const longest = longestTurn === null ? '' : formatClock(longestTurn.endSeconds - longestTurn.startSeconds)
    const cells = [
      escapeMarkdown(speaker),
      formatClock(talkSeconds),
      `${Math.round(talkShare * 100)} %`,
      words,
      turns,
      longest,
      interruptionsMade,
      interruptionsReceived,
    ]
    return `| ${cells.join(' | ')} |`
  })
  return [
    '| Speaker | Talk time | Share | Words | Turns | Longest turn | Interrupts | Is interrupted |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n')
}
