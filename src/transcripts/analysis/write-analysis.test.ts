import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { expect, it } from 'vitest'
import { transcriptOfLines } from '../writers/transcript-fixture.ts'
import { analyzeMeeting } from './analyze-meeting.ts'
import { writeAnalysisJson, writeAnalysisMarkdown } from './write-analysis.ts'

const LINES = [
  ['Speaker 1', 'We have decided to buy the *new* printer for <the> office.'],
  ['Speaker 2', "I'll order the printer by Friday."],
] as const

it('writes the analysis to read, with times and segments', async () => {
  const analysis = await analyzeMeeting(transcriptOfLines(LINES), { referenceDate: new Date('2026-03-02T09:00:00Z') })
  const markdown = writeAnalysisMarkdown(analysis, { title: 'Printer' })
  expect(markdown).toMatchInlineSnapshot(`
    "# Printer

    > Found by rules and statistics over the transcript; read the cited segments before you rely on it.

    ## Summary

    - Speaker 1: We have decided to buy the \\*new\\* printer for \\<the> office. \\[00:00:00, segment 1\\]

    ## Topics

    - **Printer, buy, decided** \\[00:00:00 – 00:00:06\\]

    ## Decisions

    - Speaker 1: We have decided to buy the \\*new\\* printer for \\<the> office. \\[00:00:00, segment 1\\]

    ## Action items

    - **Speaker 2** (due Friday, 2026-03-06): I'll order the printer by Friday. \\[00:00:04, segment 2\\]

    ## Open questions

    None found.

    ## Key quotes

    None found.

    ## Speakers

    | Speaker | Talk time | Share | Words | Turns | Longest turn | Interrupts | Is interrupted |
    | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
    | Speaker 1 | 00:00:04 | 64 % | 11 | 1 | 00:00:04 | 0 | 0 |
    | Speaker 2 | 00:00:02 | 36 % | 6 | 1 | 00:00:02 | 0 | 0 |

    ## Timeline

    - \\[00:00:00\\] Topic: Printer, buy, decided
    - \\[00:00:00\\] Decision: We have decided to buy the \\*new\\* printer for \\<the> office.
    - \\[00:00:04\\] Action item: I'll order the printer by Friday.
    "
  `)
  const html = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] })
  expect(html).toContain('<li>Speaker 1: We have decided to buy the *new* printer for &lt;the&gt; office.')
  expect(html.match(/<tr>/g)).toHaveLength(3)
})

it('writes the analysis for programs', async () => {
  const analysis = await analyzeMeeting(transcriptOfLines(LINES))
  const written = JSON.parse(writeAnalysisJson(analysis))
  expect(written).toMatchObject({
    method: 'heuristic',
    decisions: [{ segmentIds: [1], startSeconds: 0 }],
    actionItems: [{ owner: 'Speaker 2', due: { text: 'Friday', date: null }, segmentIds: [2] }],
  })
  expect(Object.keys(written)).toEqual(Object.keys(analysis))
})
