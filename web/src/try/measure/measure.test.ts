import { openAsBlob, readdirSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { splitFileName } from '../../../../src/core/artifact-names.ts'
import { type Format, holdsFor } from '../../../../src/core/catalog.ts'
import { PRICE_METRICS } from '../../../../src/core/metrics.ts'
import { loadCatalog } from '../../../../src/formats/index.ts'
import { openBytes } from './bytes.ts'
import { isLengthGuessed } from './guessed-length.ts'
import { measure } from './measure.ts'

const catalog = await loadCatalog()
const FORMATS = join(import.meta.dirname, '../../../../src/formats')

/** The sources of the golden cases whose price depends on more than their size, and is not that of a recording. */
const listSources = (): { path: string; name: string; extension: string; format: Format }[] =>
  readdirSync(FORMATS, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const [, golden, , file, ...deeper] = name.split('/')
    const { extension } = splitFileName(file ?? '')
    const format = catalog.byExtension.get(extension)
    if (golden !== 'golden' || !file || deeper.length > 0 || !format?.probe) return []
    if (['audio', 'video'].includes(format.category)) return []
    const isCounted = format.price.some((term) => term.metric !== 'megabytes' && holdsFor(term, extension))
    return isCounted ? [{ path: join(FORMATS, name), name, extension, format }] : []
  })

/** What the service would measure, by the field of an estimate; undefined where it cannot. */
const probe = async ({ path, name, extension, format }: ReturnType<typeof listSources>[number]) => {
  const scratch = await mkdtemp(join(tmpdir(), 'measure-'))
  const signal = new AbortController().signal
  const context = { signal, selected: new Set<string>(), scratch, progress: () => undefined, warn: () => undefined }
  try {
    const bytes = statSync(path).size
    const metrics = await format.probe?.({ path, name, extension, bytes }, context, {})
    const term = format.price.find((each) => each.metric !== 'megabytes' && holdsFor(each, extension))
    if (!metrics || !term) throw new Error(`${name} has nothing to measure`)
    const { read, fields } = PRICE_METRICS[term.metric]
    return { field: fields[0] as string, count: read({ ...metrics, bytes }) }
  } catch {
    return undefined
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

const measureHere = async (path: string, category: string): Promise<Record<string, number>> =>
  (await measure(await openAsBlob(path), category, new AbortController().signal)) as Record<string, number>

describe('what the browser measures is what the service measures', () => {
  const sources = listSources()
  test('there is something to compare', () => {
    const kinds = new Set(sources.map(({ extension }) => extension))
    for (const kind of [
      'pdf',
      'docx',
      'pptx',
      'xlsx',
      'odt',
      'odp',
      'ods',
      'png',
      'gif',
      'webp',
      'ico',
      'tif',
      'avif',
    ]) {
      expect(kinds).toContain(kind)
    }
  })
  test.each(sources)('$name', async (source) => {
    const [truth, found] = [await probe(source), await measureHere(source.path, source.format.category)]
    // What nobody can read costs nothing; what the browser leaves out the service measures.
    if (truth && truth.field in found) expect(found[truth.field]).toBe(truth.count)
  })
  test('and it measures most of what the service can', async () => {
    let both = 0
    let alone = 0
    for (const source of sources) {
      if (!/^(?:pdf|docx|pptx|xlsx|odt|odp|ods|png|gif|webp|ico|tiff?)$/.test(source.extension)) continue
      const truth = await probe(source)
      const found = await measureHere(source.path, source.format.category)
      if (truth) truth.field in found ? both++ : alone++
    }
    expect(both / (both + alone)).toBeGreaterThan(0.85)
  })
})

describe('what is not what it seems', () => {
  const measureBytes = (content: string | Uint8Array<ArrayBuffer>, category: string) =>
    measure(new Blob([content]), category, new AbortController().signal)
  test.each([
    ['nothing of a PDF but its first line', '%PDF-1.7\n', 'document'],
    ['a PDF whose table is elsewhere', '%PDF-1.7\nstartxref\n99999\n%%EOF', 'document'],
    ['a PDF that leads in a circle', '%PDF-1.7\nxref\n0 0\ntrailer\n<</Prev 9>>\nstartxref\n9\n%%EOF', 'document'],
    ['the head of a ZIP', 'PK\u0003\u0004', 'document'],
    ['a GIF that is cut off', 'GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000!', 'image'],
    ['text', 'Hello', 'document'],
    ['a single byte', 'x', 'image'],
  ])('%s is left to the service', async (_, content, category) => {
    expect(await measureBytes(content, category)).toEqual({})
  })
  test('pages that a PDF only claims are not believed', async () => {
    const objects = [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 900/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R>>',
    ]
    expect(await measureBytes(writePdf(objects), 'document')).toEqual({})
    const honest = objects.with(1, '<</Type/Pages/Count 1/Kids[3 0 R]>>')
    expect(await measureBytes(writePdf(honest), 'document')).toEqual({ pageCount: 1 })
  })
})

/** A PDF of these objects, the first of them its root. */
const writePdf = (objects: readonly string[]): string => {
  let text = '%PDF-1.7\n'
  const places = objects.map((object, index) => {
    const at = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  return `${text}xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`
}

describe('a length that a player can only guess', () => {
  const isGuessed = (head: readonly number[], text: string, seconds = 10) =>
    isLengthGuessed(openBytes(new Blob([Uint8Array.from(head), text.padEnd(1000, '.')])), seconds)
  const TAG = [0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 2, 0x2e, 0x2e]
  const OGG = [0x4f, 0x67, 0x67, 0x53]
  test.each([
    ['MP3 with a count of its frames', [0xff, 0xfb, 0x90, 0], 'Xing', 10, false],
    ['MP3 with a count, after a tag', [...TAG, 0xff, 0xfb, 0x90, 0], 'Info', 10, false],
    ['MP3 without one', [0xff, 0xfb, 0x90, 0], '', 10, true],
    ['MP3 without one, after a tag', [...TAG, 0xff, 0xfb, 0x90, 0], '', 10, true],
    ['AAC', [0xff, 0xf1, 0x50, 0x80], 'Info', 10, true],
    ['Ogg', OGG, '', 10, false],
    ['Ogg whose clock cannot be right', OGG, '', 0.0001, true],
    ['anything with a clock', [0, 0, 0, 0x20], 'ftypisom', 10, false],
  ])('%s', async (_, head, text, seconds, expected) => {
    expect(await isGuessed(head, text, seconds)).toBe(expected)
  })
})
