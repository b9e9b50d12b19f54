import { describe, expect, it } from 'vitest'
import { segmentOf, transcriptOf, transcriptOfLines } from '../writers/transcript-fixture.ts'
import { analyzeMeeting } from './analyze-meeting.ts'
import { BOARD, GERMAN, MESSY, PLANNING, TALK } from './meetings-fixture.ts'
import type { Citation, MeetingAnalysis } from './model.ts'

const MONDAY = new Date('2026-03-02T09:00:00Z')

const listActions = ({ actionItems }: MeetingAnalysis) =>
  actionItems.map(({ owner, due, segmentIds }) => [owner, due?.date ?? due?.text ?? null, segmentIds])
const listIds = (items: readonly Citation[]) => items.map(({ segmentIds }) => segmentIds)

describe('an orderly meeting', async () => {
  const analysis = await analyzeMeeting(transcriptOfLines(PLANNING), { referenceDate: MONDAY })

  it('gives tasks with owner and day', () => {
    expect(listActions(analysis)).toEqual([
      ['Speaker 2', '2026-03-05', [10]],
      ['Mary', '2026-03-06', [11, 12]],
      ['Speaker 3', '2026-03-02', [25]],
      ['Tom', '2026-03-04', [30]],
    ])
  })

  it('gives what was decided, and by whose assent', () => {
    expect(listIds(analysis.decisions)).toEqual([[8], [19, 20]])
  })

  it('gives the question that nobody could answer, not those that were answered', () => {
    expect(listIds(analysis.openQuestions)).toEqual([[22, 23]])
  })

  it('gives its three topics in order, without gap or overlap', () => {
    expect(analysis.topics.map(({ label }) => label)).toEqual([
      'Crash, Android phones, encryption library',
      'Online advertising, newspaper campaign, budget',
      'Candidate, support position, offer',
    ])
    expect(analysis.topics.flatMap(({ segmentIds }) => segmentIds)).toEqual(PLANNING.map((_, index) => index + 1))
  })

  it('sums up each topic in sentences of the meeting, none of them twice', () => {
    const said = new Set<string>(PLANNING.map(([, text]) => text))
    expect(analysis.summary.length).toBeGreaterThanOrEqual(3)
    expect(analysis.summary.length).toBeLessThanOrEqual(8)
    for (const { text } of analysis.summary) expect(said).toContain(text)
    for (const { startSeconds, endSeconds } of analysis.topics) {
      expect(analysis.summary.some((item) => item.startSeconds >= startSeconds && item.endSeconds <= endSeconds)).toBe(
        true,
      )
    }
    const quoted = new Set(analysis.keyQuotes.map(({ text }) => text))
    expect(analysis.summary.filter(({ text }) => quoted.has(text))).toEqual([])
  })

  it('puts everything on one line of time', () => {
    const times = analysis.timeline.map(({ startSeconds }) => startSeconds)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(analysis.timeline.map(({ kind }) => kind).filter((kind) => kind !== 'topic')).toEqual([
      'decision',
      'actionItem',
      'actionItem',
      'decision',
      'openQuestion',
      'actionItem',
      'actionItem',
    ])
  })

  it('is the same each time', async () => {
    expect(await analyzeMeeting(transcriptOfLines(PLANNING), { referenceDate: MONDAY })).toEqual(analysis)
  })

  it('keeps the words of a day where the day of the meeting is not known', async () => {
    const { actionItems } = await analyzeMeeting(transcriptOfLines(PLANNING))
    expect(actionItems.map(({ due }) => due)).toEqual([
      { text: 'Thursday', date: null },
      { text: 'Friday', date: null },
      { text: 'this afternoon', date: null },
      { text: 'Wednesday', date: null },
    ])
  })
})

describe('people as they really talk', async () => {
  const analysis = await analyzeMeeting(transcriptOfLines(MESSY), { referenceDate: MONDAY })

  it('gives only what somebody took on, without hesitation', () => {
    expect(analysis.actionItems.map(({ owner, text }) => [owner, text])).toEqual([
      ['Speaker 2', 'Somebody should look at the logs of the bank gateway then. I can take that.'],
      ['Speaker 2', "I'm gonna finish the invoice export today"],
      ['Speaker 2', "I'll open a ticket for the missing tax field."],
      ['Priya', 'Priya, could you check with accounting by Monday?'],
    ])
    expect(analysis.actionItems.at(-1)?.due).toEqual({ text: 'Monday', date: '2026-03-09' })
  })

  it('puts a question together that was cut in two', () => {
    expect(analysis.openQuestions.map(({ text, segmentIds }) => [text, segmentIds])).toEqual([
      ['Wait, so are the customers charged twice?', [8, 9, 10]],
    ])
  })

  it('decides nothing', () => {
    expect(analysis.decisions).toEqual([])
  })
})

describe('a board', async () => {
  const analysis = await analyzeMeeting(transcriptOfLines(BOARD), { referenceDate: MONDAY })

  it('gives the motion that was carried, not what was refused or long past', () => {
    expect(analysis.decisions.map(({ text, segmentIds }) => [text, segmentIds])).toEqual([
      ['I move that we buy the heat pump. That is unanimous, the motion is carried.', [11, 13]],
    ])
  })

  it('gives tasks of groups and of a name', () => {
    expect(listActions(analysis)).toEqual([
      ['Finance', null, [14]],
      ['Legal', '2026-03-31', [14]],
      ['Sarah', '2026-06-03', [18]],
    ])
  })

  it('gives what nobody knows and what is still to be found out', () => {
    expect(listIds(analysis.openQuestions)).toEqual([[15, 16], [17]])
  })
})

describe('what is no meeting in English', () => {
  it('finds no tasks, decisions and questions in a talk, and has no figures without speakers', async () => {
    const { actionItems, decisions, openQuestions, speakers, summary, topics, notes } = await analyzeMeeting(
      transcriptOfLines(TALK),
    )
    expect([actionItems, decisions, openQuestions, speakers]).toEqual([[], [], [], []])
    expect(summary).toHaveLength(3)
    expect(topics[0]?.label).toBe('Bee, dance, flowers')
    expect(notes.join()).toContain('Speakers were not told apart')
  })

  it('gives figures, topics and a summary in other languages, and says what it did not look for', async () => {
    const analysis = await analyzeMeeting(transcriptOfLines(GERMAN, 'de'))
    expect(analysis.topics[0]?.label).toBe('Umzug, Regale, Juli')
    expect(analysis.summary).toHaveLength(3)
    expect(analysis.speakers).toHaveLength(2)
    expect([analysis.actionItems, analysis.decisions, analysis.openQuestions]).toEqual([[], [], []])
    expect(analysis.notes.join()).toContain('in English only')
  })

  it('is empty where nothing was said', async () => {
    const { summary, topics, timeline, keyQuotes } = await analyzeMeeting(transcriptOf([]))
    expect([summary, topics, timeline, keyQuotes]).toEqual([[], [], [], []])
  })
})

/** Findings in a talk of two, one line each: `A` tasks with owner and day, `D` decisions, `Q` open questions. */
const brief = async (said: string): Promise<string> => {
  const lines = said.split(' // ').map((text, index) => [`Speaker ${1 + (index % 2)}`, text] as const)
  const { actionItems, decisions, openQuestions } = await analyzeMeeting(transcriptOfLines(lines))
  const tasks = actionItems.map(({ owner, due }) => `A ${owner ?? 'nobody'} ${due?.text ?? ''}`.trim())
  return [...tasks, ...decisions.map(() => 'D'), ...openQuestions.map(() => 'Q')].join('; ')
}

describe('what counts', () => {
  it.each([
    ["I'll send you the slides tomorrow.", 'A Speaker 1 tomorrow'],
    ['I will follow up with the customer next week.', 'A Speaker 1 next week'],
    ["I'm going to write the report by the end of the week.", 'A Speaker 1 the end of the week'],
    ["Okay, so I'll set up a meeting with legal.", 'A Speaker 1'],
    ['I can send that to you by Friday.', 'A Speaker 1 Friday'],
    ["I think I'll call the bank tomorrow.", 'A Speaker 1 tomorrow'],
    ['Anna will draft the contract.', 'A Anna'],
    ['Tom, please send the invoice today.', 'A Tom today'],
    ['Can you review my pull request, Lisa? // Sure.', 'A Lisa'],
    ['Could you send me the numbers? // Yes, will do.', 'A Speaker 2'],
    ["The server is down again. // I'll look into it this afternoon.", 'A Speaker 2 this afternoon'],
    ['Engineering will deliver the API by June.', 'A Engineering June'],
    ['We need to submit the tax forms by April 15th.', 'A nobody April 15th'],
    ['Action item: update the website.', 'A nobody'],
    ["We've decided on the blue design.", 'D'],
    ["Let's go with the blue design. // Agreed.", 'D'],
    ["We'll postpone the launch to May. // Okay, that works.", 'D'],
    ["Who is going to pay for this? // I'm not sure, we need to figure that out.", 'Q'],
    ["When does the contract end? // Let's take that offline.", 'Q'],
    ["We still don't know how many people will come.", 'Q'],
  ])('%s', async (said, found) => {
    expect(await brief(said)).toBe(found)
  })
})

describe('what does not count', () => {
  it.each([
    "I'll be back in a minute.",
    "I'll take your word for it.",
    "I'll make sure we're all on the same page.",
    "I'll add that the numbers are preliminary.",
    'I will run the demo now.',
    'I can write Python.',
    'I will not send it.',
    'I was going to send it by Friday.',
    "He said he'll fix it by Friday.",
    'They will review the contract next week.',
    'The server will send an email when the job is done.',
    'Google will update the API next month.',
    'Can you send emails with this tool? // Yes, you can send emails.',
    "Can you send it by Friday? // No, I can't.",
    'Can you share your screen? // Sure.',
    'We should talk about this.',
    'Should we go with the blue one? // Yes, I think so.',
    'We could go with the blue one. // Yeah, maybe.',
    "Let's drop the blue one. // No, I like it.",
    "Let's use the remaining time for questions. // Sure.",
    'We decided last year to close the office.',
    'Have we decided on a date? // Yes, the fifth.',
    "What's the budget? // It's ten thousand dollars this year.",
    'Does that make sense? // I have no idea.',
  ])('%s', async (said) => {
    expect(await brief(said)).toBe('')
  })
})

describe('figures about speakers', () => {
  it('counts time, turns and interruptions, signs of assent aside', async () => {
    const { speakers } = await analyzeMeeting(
      transcriptOf([
        segmentOf(1, [0, 10], 'I would like to explain how this works in detail', 'Speaker 1'),
        segmentOf(2, [4, 4.5], 'yeah right', 'Speaker 2'),
        segmentOf(3, [9, 14], 'but that is not what we had agreed on', 'Speaker 2'),
        segmentOf(4, [14, 20], 'well it is what was written down', 'Speaker 1'),
        segmentOf(5, [20.5, 22], 'and what I said', 'Speaker 1'),
      ]),
    )
    expect(speakers).toEqual([
      {
        speaker: 'Speaker 1',
        talkSeconds: 17.5,
        talkShare: 0.761,
        words: 21,
        turns: 2,
        longestTurn: { segmentIds: [1], startSeconds: 0, endSeconds: 10 },
        interruptionsMade: 0,
        interruptionsReceived: 1,
      },
      {
        speaker: 'Speaker 2',
        talkSeconds: 5.5,
        talkShare: 0.239,
        words: 11,
        turns: 1,
        longestTurn: { segmentIds: [2, 3], startSeconds: 4, endSeconds: 14 },
        interruptionsMade: 1,
        interruptionsReceived: 0,
      },
    ])
  })
})
