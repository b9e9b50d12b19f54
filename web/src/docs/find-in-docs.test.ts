import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PAGES, readGuide } from '../../build/guides.ts'
import { findPlaces, listPlaces, markWords } from './find-in-docs.ts'

const GUIDE = readGuide(
  'docs/guides/results.md',
  `# Results

What a job leaves behind.

## The *ZIP*

Every file < 4 GB & more.

| File | Made by |
| --- | --- |
| a.txt | \`pdf.text\` |

<!-- example: fetch -->

\`\`\`sh
curl -O https://example.com/zip
\`\`\`

\`\`\`ts
await download()
\`\`\`

### Its manifest

Says who made what.
`,
)

describe('places', () => {
  test('a guide has one for its beginning and one for each heading', () => {
    expect(listPlaces('/docs/results', GUIDE)).toEqual([
      { href: '/docs/results', page: 'Results', heading: '', text: 'What a job leaves behind.' },
      {
        href: '/docs/results#the-zip',
        page: 'Results',
        heading: 'The ZIP',
        text: 'Every file < 4 GB & more. File Made by a.txt pdf.text curl -O https://example.com/zip',
      },
      { href: '/docs/results#its-manifest', page: 'Results', heading: 'Its manifest', text: 'Says who made what.' },
    ])
  })

  test('those of all guides lead to headings that are there, and have no markup', () => {
    const root = join(import.meta.dirname, '../../..')
    const files = Object.entries(PAGES).filter(([file]) => !file.startsWith('docs/reference/'))
    const places = files.flatMap(([file, path]) =>
      listPlaces(path, readGuide(file, readFileSync(join(root, file), 'utf8'))),
    )
    expect(places.length).toBeGreaterThan(50)
    expect(new Set(places.map(({ href }) => href)).size).toBe(places.length)
    for (const { page, heading, text } of places) {
      expect(page).not.toBe('')
      expect(`${page} ${heading} ${text}`).not.toMatch(/<\/?(?:p|code|a|td|li|h\d)\b|&(?:amp|lt|quot);/)
    }
  })
})

const place = (heading: string, text: string, page = 'Page') => ({ href: `/docs#${heading}`, page, heading, text })
const headings = (places: Parameters<typeof findPlaces>[0], question: string) =>
  findPlaces(places, question).map(({ heading }) => heading)

describe('a search', () => {
  const places = [
    place('Retries', 'A webhook is sent again when nobody answers.'),
    place('Secrets', 'Each webhook is signed.'),
    place('Webhooks', 'What they are.'),
    place('pdf', 'pdf: pdf.text, pdf.tables', 'Formats'),
  ]

  test('wants every word, wherever it stands, and takes the beginning of one', () => {
    expect(headings(places, 'webhook signed')).toEqual(['Secrets'])
    expect(headings(places, 'RETRIES  answ')).toEqual(['Retries'])
    expect(headings(places, 'webhook banana')).toEqual([])
    expect(headings(places, '  ')).toEqual([])
  })

  test('has headings before text, and the very word first', () => {
    expect(headings(places, 'webhook')).toEqual(['Webhooks', 'Retries', 'Secrets'])
    expect(headings([place('QUARRY_WEBHOOK_PORT', ''), place('', '', 'Webhooks')], 'webhook')[0]).toBe('')
    expect(headings([place('epub', 'a pdf inside'), place('pdfs', ''), ...places], 'pdf')[0]).toBe('pdf')
  })

  test('shows the text around what was found, cut between words', () => {
    const long = place('Long', `${'before '.repeat(100)}needle ${'after '.repeat(100)}`)
    const [found] = findPlaces([long], 'needle')
    expect(found?.excerpt).toMatch(/^… (?:before )+needle (?:after )+…$/)
    expect(found?.excerpt.length).toBeLessThan(220)
    expect(findPlaces([place('Short', 'all of it')], 'short')[0]?.excerpt).toBe('all of it')
    expect(findPlaces([place('Solid', `${'x'.repeat(500)}needle`)], 'needle')[0]?.excerpt.length).toBeLessThan(320)
  })

  test('takes the signs of a pattern for themselves', () => {
    expect(headings([place('Query', 'a?b=(c)')], 'b=(c)')).toEqual(['Query'])
    expect(markWords('a?b=(c) B', 'b =(c)')).toEqual([
      { text: 'a?', isMarked: false },
      { text: 'b', isMarked: true },
      { text: '=(c)', isMarked: true },
      { text: ' ', isMarked: false },
      { text: 'B', isMarked: true },
    ])
    expect(markWords('as it is', '')).toEqual([{ text: 'as it is', isMarked: false }])
  })
})
