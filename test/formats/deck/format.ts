import { readFile } from 'node:fs/promises'
import { defineCapability, defineFormat, type Source } from '../../../src/core/catalog.ts'
import { JobFailure } from '../../../src/core/errors.ts'

/** A `.deck` is text, a slide to a line: `title` or `title | notes`. `locked:PASSWORD` as the first line locks the notes. */
type Slide = { number: number; title: string; notes: string }

const readDeck = async (source: Source): Promise<{ password: string | undefined; slides: Slide[] }> => {
  const lines = (await readFile(source.path, 'utf8')).split('\n').filter((line) => line.trim() !== '')
  const password = /^locked:(.*)$/.exec(lines[0] ?? '')?.[1]
  const slides = lines.slice(password === undefined ? 0 : 1).map((line, index) => {
    const [title = '', notes = ''] = line.split('|').map((part) => part.trim())
    return { number: index + 1, title, notes }
  })
  if (slides.length === 0) throw new JobFailure('extract.source_unreadable')
  return { password, slides }
}

const text = defineCapability({
  id: 'deck.text',
  output: 'text',
  defaultSelected: true,
  detail: 'Titles, one to a line.',
  options: {
    lineEnding: { type: 'enum', allowedValues: ['lf', 'crlf'], defaultValue: 'lf' },
    includeNumbers: { type: 'boolean', defaultValue: false, detail: 'Slide numbers before the titles.' },
  },
  async *extract(source, { lineEnding, includeNumbers }) {
    const end = lineEnding === 'crlf' ? '\r\n' : '\n'
    const { slides } = await readDeck(source)
    const lines = slides.map(({ number, title }) => (includeNumbers ? `${number}. ${title}` : title))
    const data = lines.map((line) => line + end).join('')
    yield { path: 'text/deck.txt', mediaType: 'text/plain; charset=utf-8', data }
  },
})

const images = defineCapability({
  id: 'deck.images',
  output: 'images',
  defaultSelected: false,
  detail: 'A picture of each slide.',
  options: {
    layout: { type: 'enum', allowedValues: ['single', 'handout'], defaultValue: 'single' },
    maxImages: { type: 'integer', min: 1, max: 500, defaultValue: 100 },
    scale: { type: 'number', min: 0.1, max: 4, defaultValue: 1 },
  },
  async *extract(source, { layout, maxImages, scale }, context) {
    const { slides } = await readDeck(source)
    const drawn = slides.slice(0, maxImages)
    if (drawn.length < slides.length) context.warn('deck.images_cut', `Only the first ${maxImages} slides were drawn.`)
    const width = 320 * scale
    const draw = (titles: string[]) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width * 0.75}">${titles
        .map((title, row) => `<text x="8" y="${24 + row * 24}">${title.replace(/[<&]/g, '')}</text>`)
        .join('')}</svg>\n`
    if (layout === 'handout') {
      const data = draw(drawn.map(({ title }) => title))
      yield { path: 'images/handout.svg', mediaType: 'image/svg+xml', data }
      return
    }
    for (const { number, title } of drawn) {
      const path = `images/slide-${String(number).padStart(3, '0')}.svg`
      yield { path, mediaType: 'image/svg+xml', data: draw([title]), provenance: { slide: number } }
      context.progress(number / drawn.length)
    }
  },
})

const notes = defineCapability({
  id: 'deck.notes',
  output: 'text',
  defaultSelected: false,
  detail: 'What the speaker meant to say.',
  options: {
    password: { type: 'string', defaultValue: '', maxLength: 128, secret: true, detail: 'Opens locked notes.' },
    language: { type: 'string', defaultValue: 'en', maxLength: 8, pattern: '[a-z]{2}(?:-[A-Z]{2})?' },
    parts: { type: 'list', allowedValues: ['titles', 'notes'], defaultValue: ['titles', 'notes'] },
  },
  async *extract(source, { password, language, parts }) {
    const deck = await readDeck(source)
    if (deck.password !== undefined && deck.password !== password) throw new JobFailure('extract.source_encrypted')
    const withNotes = deck.slides.filter((slide) => slide.notes !== '')
    if (withNotes.length === 0) return
    const lines = withNotes.map((slide) =>
      [parts.includes('titles') ? slide.title : '', parts.includes('notes') ? slide.notes : '']
        .filter((part) => part !== '')
        .join(': '),
    )
    const path = `text/notes.${language}.txt`
    yield { path, mediaType: 'text/plain; charset=utf-8', data: `${lines.join('\n')}\n` }
  },
})

/** A presentation family for tests: two price terms, all option types, both kinds of constraint. */
export default defineFormat({
  name: 'deck',
  category: 'presentation',
  pool: 'document',
  extensions: ['deck'],
  mimeTypes: { deck: ['application/x-deck'] },
  price: [
    { metric: 'megabytes', per: 5 },
    { metric: 'slides', per: 5 },
  ],
  accepts: [],
  engines: [{ name: 'deck', version: '1.0.0' }],
  probe: async (source) => ({ slides: (await readDeck(source)).slides.length }),
  capabilities: [text, images, notes],
  constraints: [
    {
      type: 'requires',
      capabilityId: 'deck.notes',
      targets: ['deck.text'],
      detail: 'Notes are numbered by the titles that deck.text writes.',
    },
    {
      type: 'excludes',
      capabilityId: 'deck.images',
      option: { id: 'layout', value: 'handout' },
      targets: ['deck.notes'],
      detail: 'A handout already has the notes on it.',
    },
  ],
})
