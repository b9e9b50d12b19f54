import { describe, expect, test } from 'vitest'
import { JOB_FAILURES } from '../../src/core/errors.ts'
import { explainFailure } from '../../web/src/jobs/explain-failure.ts'
import { cleanTable } from '../../web/src/jobs/results/clean-table.ts'
import { markdownToHtml } from '../../web/src/jobs/results/markdown-html.ts'
import { parseCsv } from '../../web/src/jobs/results/parse-csv.ts'
import { findCue, groupCues, parseCues } from '../../web/src/jobs/results/parse-cues.ts'
import { resolvePath } from '../../web/src/jobs/results/resolve-path.ts'
import { sortFiles } from '../../web/src/jobs/results/sort-files.ts'

test('every failure of a job is explained in words of its own', () => {
  const told = Object.entries(JOB_FAILURES).map(([code, detail]) => explainFailure({ code, detail }).what)
  expect(new Set(told).size).toBe(told.length)
  expect(explainFailure({ code: 'extract.new', detail: 'Something new.' }).what).toBe('Something new.')
})

describe('separated values', () => {
  test.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a;b\r\n"1;x";2',
      [
        ['a', 'b'],
        ['1;x', '2'],
      ],
    ],
    [
      'a\tb\n1\t',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    [
      '\ufeff"a ""b""",c\n"two\nlines",d\n',
      [
        ['a "b"', 'c'],
        ['two\nlines', 'd'],
      ],
    ],
    ['a\n\n"never closed, b\n', [['a'], ['never closed, b\n']]],
    ['', []],
  ])('%j', (text, rows) => {
    expect(parseCsv(text, 10).rows).toEqual(rows)
  })
  test('keeps the first rows and counts all', () => {
    const text = `n\n${Array.from({ length: 1000 }, (_, i) => i).join('\n')}\n`
    const { rows, rowCount } = parseCsv(text, 5)
    expect(rows).toHaveLength(5)
    expect(rowCount).toBe(1001)
  })
})

describe('cues', () => {
  const VTT =
    'WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.500\n<v Anna &amp; Bo>Tea &lt;now&gt;</v>\n\n' +
    '2\n00:00:02.500 --> 00:00:04.000\n<v Anna &amp; Bo>or later?</v>\n<v Cy>Now.</v>\n'
  test('of WebVTT with voices', () => {
    expect(parseCues(VTT, 'vtt')).toEqual([
      { startSeconds: 1, endSeconds: 2.5, speaker: 'Anna & Bo', text: 'Tea <now>' },
      { startSeconds: 2.5, endSeconds: 4, speaker: 'Anna & Bo', text: 'or later?' },
      { startSeconds: 2.5, endSeconds: 4, speaker: 'Cy', text: 'Now.' },
    ])
  })
  test('of SubRip with hours and tags', () => {
    expect(parseCues('1\r\n01:00:00,250 --> 01:00:01,000\r\n<i>Hello</i>\r\nyou\r\n', 'srt')).toEqual([
      { startSeconds: 3600.25, endSeconds: 3601, speaker: null, text: 'Hello you' },
    ])
  })
  test('of our JSON', () => {
    const segments = [{ id: 1, startSeconds: 0, endSeconds: 1, speaker: null, text: ' Hi ', words: [] }]
    expect(parseCues(JSON.stringify({ segments }), 'json')).toEqual([
      { startSeconds: 0, endSeconds: 1, speaker: null, text: 'Hi' },
    ])
  })
  test('are grouped by who speaks, and found by time', () => {
    const cues = parseCues(VTT, 'vtt')
    expect(groupCues(cues).map(({ speaker, firstIndex }) => [speaker, firstIndex])).toEqual([
      ['Anna & Bo', 0],
      ['Cy', 2],
    ])
    expect([0, 1, 2.4, 9].map((seconds) => findCue(cues, seconds))).toEqual([-1, 0, 0, 2])
  })
})

test.each([
  ['markdown/a.md', '../images/p.png', 'images/p.png'],
  ['markdown/a.md', 'b%20c.md#x', 'markdown/b c.md'],
  ['transcript.md', 'frames/f.jpg', 'frames/f.jpg'],
  ['markdown/a.md', '../../etc/passwd', undefined],
  ['markdown/a.md', 'https://example.org/p.png', undefined],
  ['markdown/a.md', '/web/me', undefined],
  ['markdown/a.md', 'javascript:alert(1)', undefined],
])('from %s, %s is %s', (from, reference, path) => {
  expect(resolvePath(from, reference)).toBe(path)
})

describe('HTML in Markdown', () => {
  test('is text, apart from tables and line ends', () => {
    const html = markdownToHtml('a <b onclick="x()">b</b> c<br>d\n\n<script>alert(1)</script>\n\n<!-- note -->\n')
    expect(html).not.toMatch(/<b |<script|note/)
    expect(html).toContain('c<br>d')
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  })
  test('keeps what our writers put into tables, and nothing else', () => {
    const table =
      '<table dir="rtl"><tr onclick="x()"><td colspan="2" style="a">x<script>alert(1)</script><img src="a.png" onerror=x()>' +
      '</td></tr></table>'
    expect(cleanTable(table)).toBe(
      '<table dir="rtl"><tr><td colspan="2">x&lt;script&gt;alert(1)&lt;/script&gt;<img src="a.png"></td></tr></table>',
    )
    expect(cleanTable('<table><td align=">"><svg/onload=x()>a < b</td>')).toBe(
      '<table><td align="&gt;">&lt;svg/onload=x()&gt;a &lt; b</td>',
    )
  })
  test('reaches into quotes and lists', () => {
    expect(markdownToHtml('> <table><tr><td rowspan="2">x</td></tr></table>\n')).toContain('<td rowspan="2">x</td>')
  })
})

test('files come by view, the most telling first', () => {
  const files = [
    ...['analysis/meeting-analysis.json', 'analysis/meeting-analysis.md', 'audio/a.mp3', 'transcript.vtt'],
    ...['images/a.waveform.png', 'metadata/a.waveform.json', 'metadata/a.json', 'manifest.json'],
  ].map((path) => ({ path, bytes: 1, capabilityId: path.includes('waveform') ? 'audio.waveform' : 'x' }))
  const views = sortFiles(files, 'audio').map(({ id, files: own }) => [id, own.map(({ path }) => path)])
  expect(views).toEqual([
    ['meeting', ['analysis/meeting-analysis.json']],
    ['transcript', ['audio/a.mp3', 'transcript.vtt']],
    ['data', ['metadata/a.waveform.json', 'metadata/a.json']],
    ['files', files.map(({ path }) => path)],
    ['details', ['manifest.json']],
  ])
  expect(sortFiles([{ path: 'tables/a.csv', bytes: 1, capabilityId: 'x' }], 'spreadsheet')[0]?.id).toBe('tables')
})
