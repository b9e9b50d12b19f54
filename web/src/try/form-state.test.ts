import { describe, expect, test } from 'vitest'
import { buildCatalog } from '../../../src/core/catalog.ts'
import { describeOptions } from '../../../src/core/discovery.ts'
import { resolveOptions } from '../../../src/core/options.ts'
import { loadCatalog } from '../../../src/formats/index.ts'
import deck from '../../../test/formats/deck/format.ts'
import { writeCurl } from './curl-command.ts'
import {
  beginForm,
  brokenConstraints,
  type Descriptor,
  type FormState,
  fixFor,
  inWords,
  isSendable,
  toOptions,
} from './form-state.ts'

const all = await loadCatalog()
const catalog = buildCatalog([...all.formats, deck])
const describeFor = (extension: string, hasTool = true): Descriptor => {
  const format = catalog.byExtension.get(extension)
  if (!format) throw new Error(`no ${extension}`)
  return describeOptions(format, extension, () => hasTool) as Descriptor
}
const planOf = (extension: string, form: FormState) => {
  const format = catalog.byExtension.get(extension)
  if (!format) throw new Error(`no ${extension}`)
  return resolveOptions(format, form.workflow, toOptions(describeFor(extension), form))
}

describe('every form of the catalog', () => {
  test.each([...catalog.byExtension.keys()])('%s: as it first stands, it asks for the defaults', (extension) => {
    const descriptor = describeFor(extension)
    const form = beginForm(descriptor)
    expect(isSendable(descriptor, form)).toBe(true)
    const format = catalog.byExtension.get(extension)
    expect(planOf(extension, form)).toEqual(format && resolveOptions(format, 'extract', undefined))
  })
})

describe('constraints', () => {
  const descriptor = describeFor('deck')
  const select = (...selected: string[]): FormState => ({ ...beginForm(descriptor), selected })
  test('what is required is missing, and one step adds it', () => {
    const form = select('deck.notes')
    const [broken] = brokenConstraints(descriptor, form)
    expect(broken?.type).toBe('requires')
    expect(isSendable(descriptor, form)).toBe(false)
    if (!broken) return
    const { add, form: mended } = fixFor(descriptor, form, broken)
    expect(add).toEqual(['deck.text'])
    expect(isSendable(descriptor, mended)).toBe(true)
    expect(planOf('deck', mended).capabilities.map(({ id }) => id)).toEqual(['deck.text', 'deck.notes'])
  })
  test('what is excluded by the value of an option goes, and only by that value', () => {
    const form = select('deck.text', 'deck.notes', 'deck.images')
    expect(brokenConstraints(descriptor, form)).toEqual([])
    const handout = { ...form, own: { 'deck.images': { layout: 'handout' } } }
    const [broken] = brokenConstraints(descriptor, handout)
    if (!broken) throw new Error('nothing is broken')
    const { remove, form: mended } = fixFor(descriptor, handout, broken)
    expect(remove).toEqual(['deck.notes'])
    expect(isSendable(descriptor, mended)).toBe(true)
  })
  test('what cannot be had is not added: the one that needs it goes', () => {
    const without = {
      ...descriptor,
      capabilities: descriptor.capabilities.map((c) => (c.id === 'deck.text' ? { ...c, available: false } : c)),
    }
    const form = select('deck.notes')
    const [broken] = brokenConstraints(without, form)
    if (!broken) throw new Error('nothing is broken')
    expect(fixFor(without, form, broken)).toMatchObject({ add: [], remove: ['deck.notes'], form: { selected: [] } })
  })
})

describe('what is sent', () => {
  test('only what differs from the defaults, a shared option to each that takes it', () => {
    const descriptor = describeFor('pdf')
    const form = {
      ...beginForm(descriptor),
      selected: ['pdf.text', 'pdf.markdown'],
      shared: { password: 'open sesame' },
    }
    expect(toOptions(descriptor, form)).toEqual({
      extraction: {
        selectedCapabilities: ['pdf.text', 'pdf.markdown'],
        capabilityOptions: { 'pdf.text': { password: 'open sesame' }, 'pdf.markdown': { password: 'open sesame' } },
      },
    })
    const shown = JSON.stringify(toOptions(descriptor, form, () => undefined))
    expect(shown).not.toContain('sesame')
  })
  test('nothing that the service would refuse', () => {
    const descriptor = describeFor('deck')
    const form = { ...beginForm(descriptor), selected: ['deck.text', 'deck.images'] }
    const withScale = (scale: number | string) => ({ ...form, own: { 'deck.images': { scale } } })
    expect([0.5, 4, 0.01, 5, ''].map((scale) => isSendable(descriptor, withScale(scale)))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
    expect(isSendable(descriptor, { ...form, selected: [] })).toBe(false)
  })
  test('a transcript alone', () => {
    const descriptor = describeFor('mp3')
    const form: FormState = { ...beginForm(descriptor), workflow: 'transcribe', transcription: { includePdf: false } }
    expect(toOptions(descriptor, form)).toEqual({ transcription: { mode: 'fast', includePdf: false } })
    expect(planOf('mp3', form).transcription).toMatchObject({ mode: 'fast', includePdf: false, includeTxt: true })
  })
  test('what cannot be had is not selected', () => {
    const descriptor = describeFor('mp4', false)
    expect(beginForm(descriptor).selected).toEqual([])
  })
})

test('the call of the API survives any name', () => {
  const command = writeCurl('http://quarry.example', {
    workflow: 'transcribe',
    fileName: `it's a "talk", one;two.mp3`,
    options: { transcription: { mode: 'fast' } },
  })
  expect(command).toBe(
    [
      "curl 'http://quarry.example/extract/transcribe' \\",
      '  -H "X-Fast-Api-Key: $QUARRY_KEY" \\',
      `  -F 'file=@"it'\\''s a \\"talk\\", one;two.mp3"' \\`,
      `  -F 'options={"transcription":{"mode":"fast"}}'`,
    ].join('\n'),
  )
})

test.each([
  ['frameIntervalSeconds', 'Frame interval seconds'],
  ['pdf.ocr', 'OCR'],
  ['meeting-intelligence', 'Meeting intelligence'],
  ['includeTxt', 'Include TXT'],
  ['media.transcript', 'Transcript'],
])('%s in words', (id, words) => expect(inWords(id)).toBe(words))
