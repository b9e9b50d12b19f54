import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { describe, expect, it } from 'vitest'
import type { Transcript } from '../model.ts'
import { segmentOf, transcriptOf, transcriptOfLines } from './transcript-fixture.ts'
import { writeJson } from './write-json.ts'
import { writeMarkdown } from './write-markdown.ts'
import { writeTxt } from './write-txt.ts'

const MEETING = transcriptOfLines([
  ['Speaker 1', 'Good morning.'],
  ['Speaker 1', 'Let us begin with the budget.'],
  ['Speaker 2', 'It is 10 % higher than last year.'],
  ['Speaker 1', 'Why?'],
])

const render = (markdown: string): string => micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] })

describe('writeTxt', () => {
  it('joins what one speaker says and names the speaker of each turn', () => {
    expect(writeTxt(MEETING)).toBe(
      'Speaker 1: Good morning. Let us begin with the budget.\n\nSpeaker 2: It is 10 % higher than last year.\n\nSpeaker 1: Why?\n',
    )
  })

  it('begins a paragraph after a long pause, and inside a long speech', () => {
    const sentence = 'This is one more sentence of a rather long talk about nothing at all.'
    const talk = Array.from({ length: 25 }, (_, index) => segmentOf(index + 1, [index * 5, index * 5 + 4.9], sentence))
    const paused = transcriptOf([...talk, segmentOf(26, [140, 142], 'After a pause.')])
    const paragraphs = writeTxt(paused).trimEnd().split('\n\n')
    expect(paragraphs.map((text) => text.split(sentence).length - 1)).toEqual([11, 11, 3, 0])
    expect(paragraphs.at(-1)).toBe('After a pause.')
  })

  it('splits a whole talk that came as one segment', () => {
    const sentence = 'One engine gives the whole talk as a single segment without any parts.'
    const text = Array.from({ length: 40 }, () => sentence).join(' ')
    const paragraphs = writeTxt(transcriptOf([segmentOf(1, [0, 200], text)]))
      .trimEnd()
      .split('\n\n')
    expect(paragraphs.length).toBe(4)
    expect(paragraphs.join(' ')).toBe(text)
  })

  it('leaves no space between sentences of Chinese', () => {
    const transcript = transcriptOfLines(
      [
        [null, '你好。'],
        [null, '我们开始吧。'],
      ],
      'zh',
    )
    expect(writeTxt(transcript)).toBe('你好。我们开始吧。\n')
  })

  it('leaves out what would steer a terminal', () => {
    expect(writeTxt(transcriptOfLines([[null, 'a\u0007\u001b[31mb\r\n\tc\ud800']]))).toBe('a[31mb c\ufffd\n')
  })

  it('is empty where nothing was said', () => {
    expect(writeTxt(transcriptOf([]))).toBe('')
  })
})

describe('writeJson', () => {
  it('holds the transcript without the engine', () => {
    const transcript: Transcript = {
      ...transcriptOf([
        {
          ...segmentOf(1, [0, 1.23456], 'Hi there.', 'Speaker 1'),
          words: [
            { text: 'Hi', startSeconds: 0, endSeconds: 0.5, confidence: 0.98765 },
            { text: 'there.', startSeconds: 0.5, endSeconds: 1.23456, confidence: null },
          ],
        },
      ]),
      wordTimes: 'aligned',
    }
    expect(JSON.parse(writeJson(transcript))).toEqual({
      language: 'en',
      durationSeconds: 1.235,
      wordTimes: 'aligned',
      speakers: ['Speaker 1'],
      segments: [
        {
          id: 1,
          startSeconds: 0,
          endSeconds: 1.235,
          speaker: 'Speaker 1',
          text: 'Hi there.',
          words: [
            { text: 'Hi', startSeconds: 0, endSeconds: 0.5, confidence: 0.9877 },
            { text: 'there.', startSeconds: 0.5, endSeconds: 1.235, confidence: null },
          ],
        },
      ],
    })
  })

  it('is JSON where nothing was said', () => {
    expect(JSON.parse(writeJson(transcriptOf([]))).segments).toEqual([])
  })
})

describe('writeMarkdown', () => {
  it('gives each turn its speaker and its time', () => {
    expect(writeMarkdown(MEETING, { title: 'Budget' })).toBe(`# Budget

**Speaker 1** \\[00:00:00\\] Good morning. Let us begin with the budget.

**Speaker 2** \\[00:00:03\\] It is 10 % higher than last year.

**Speaker 1** \\[00:00:06\\] Why?
`)
  })

  it('shows marks of Markdown as they were said', () => {
    const said = '# 1. *a* _b_ `c` [d](e) <f> &amp; ~~g~~ $x$ | \\h ![i] https'
    const html = render(writeMarkdown(transcriptOfLines([[null, said]]), { title: said }))
    const text = html
      .replace(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
    expect(text.trim().split('\n')).toEqual([said, `[00:00:00] ${said}`])
    expect(html).not.toMatch(/<(?:em|code|a|f|del|img)\b/)
  })

  it('has a part for about every ten minutes of a long recording, or for each topic that it is given', () => {
    const long = transcriptOf([
      segmentOf(1, [5, 9], 'One.'),
      segmentOf(2, [700, 705], 'Two.'),
      segmentOf(3, [2500, 2504], 'Three.'),
    ])
    expect(writeMarkdown(long, { title: 'T' }).match(/^## .*$/gm)).toEqual([
      '## 00:00:00 – 00:10:00',
      '## 00:10:00 – 00:20:00',
      '## 00:40:00 – 00:41:44',
    ])
    const chapters = [
      { startSeconds: 600, title: 'Costs' },
      { startSeconds: 2400, title: 'Dates' },
    ]
    expect(writeMarkdown(long, { title: 'T', chapters }).match(/^## .*$|\\\] .*$/gm)).toEqual([
      '## Costs',
      '\\] One.',
      '\\] Two.',
      '## Dates',
      '\\] Three.',
    ])
  })

  it('puts each frame before what is said from its time on', () => {
    const frames = [
      { timeSeconds: 0, path: 'frames/frame 1.jpg' },
      { timeSeconds: 3, path: 'frames/frame-2.jpg' },
      { timeSeconds: 60, path: 'frames/frame-3.jpg' },
    ]
    expect(writeMarkdown(MEETING, { title: 'Budget', frames })).toBe(`# Budget

![00:00:00](frames/frame%201.jpg)

**Speaker 1** \\[00:00:00\\] Good morning. Let us begin with the budget.

![00:00:03](frames/frame-2.jpg)

**Speaker 2** \\[00:00:03\\] It is 10 % higher than last year.

**Speaker 1** \\[00:00:06\\] Why?

![00:01:00](frames/frame-3.jpg)
`)
  })
})
