import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import clip from '../../test/formats/clip/format.ts'
import deck from '../../test/formats/deck/format.ts'
import flipbook from '../../test/formats/flipbook/format.ts'
import scroll from '../../test/formats/scroll/format.ts'
import { type AddOn, buildCatalog, defineCapability, defineFormat } from './catalog.ts'
import { RequestError } from './errors.ts'
import { estimate } from './estimate.ts'
import { BYTES_PER_MB, type Metrics } from './metrics.ts'
import { resolveOptions } from './options.ts'
import { DEFAULT_PLANS } from './plans.ts'
import { applyPrices } from './prices.ts'
import { quote } from './pricing.ts'

const formats = [deck, clip, scroll, flipbook]
const catalog = buildCatalog(formats)
const whole = { maxFileSizeMb: 1e9, maxDurationMinutes: 1e9 }
const plan = { ...DEFAULT_PLANS.pro, ...whole }

const metrics: fc.Arbitrary<Required<Metrics>> = fc.record({
  bytes: fc.integer({ min: 1, max: 5000 * BYTES_PER_MB }),
  durationSeconds: fc.double({ min: 0, max: 100_000, noNaN: true }),
  pages: fc.nat(10_000),
  slides: fc.nat(10_000),
  sheets: fc.nat(10_000),
  frames: fc.nat(10_000),
})
const anyFormat = fc.constantFrom(...formats)
const transcript = fc.constantFrom('fast', 'quality', 'meeting-intelligence')
const withTranscript = (mode: string) => ({
  extraction: {
    selectedCapabilities: ['clip.metadata', 'media.transcript'],
    capabilityOptions: { 'media.transcript': { 'transcription.mode': mode } },
  },
})

describe('a quote', () => {
  test('never falls when a metric grows', () => {
    fc.assert(
      fc.property(anyFormat, metrics, metrics, (format, a, b) => {
        const more = Object.fromEntries(Object.entries(a).map(([key, value]) => [key, value + b[key as keyof Metrics]]))
        const jobPlan = resolveOptions(format, 'extract', undefined)
        const [extension = ''] = format.extensions
        const low = quote(format, extension, jobPlan, a).quotedCredits
        expect(quote(format, extension, jobPlan, more as Metrics).quotedCredits).toBeGreaterThanOrEqual(low)
      }),
    )
  })

  test('is whole, at least 1, and the sum of its items', () => {
    fc.assert(
      fc.property(metrics, transcript, (measured, mode) => {
        const { quotedCredits, lineItems } = quote(
          clip,
          'clip',
          resolveOptions(clip, 'extract', withTranscript(mode)),
          measured,
        )
        expect(Number.isInteger(quotedCredits)).toBe(true)
        expect(quotedCredits).toBeGreaterThanOrEqual(1)
        expect(lineItems.reduce((sum, item) => sum + item.credits, 0)).toBe(quotedCredits)
      }),
    )
  })

  test('of a submission is the estimate for the same metrics', () => {
    fc.assert(
      fc.property(anyFormat, metrics, (format, measured) => {
        const [extension = ''] = format.extensions
        const submitted = quote(format, extension, resolveOptions(format, 'extract', undefined), measured)
        const estimated = estimate(catalog, plan, `.${extension.toUpperCase()}`, {
          fileSizeBytes: measured.bytes,
          durationSeconds: measured.durationSeconds,
          pageCount: measured.pages,
          slideCount: measured.slides,
          sheetCount: measured.sheets,
          frameCount: measured.frames,
        })
        expect(estimated).toEqual(submitted)
      }),
    )
  })

  test.each([
    [1, 1, 1],
    [5 * BYTES_PER_MB, 5, 1],
    [5 * BYTES_PER_MB + 1, 5, 2],
    [1, 6, 2],
    [21 * BYTES_PER_MB, 12, 5],
  ])('of a presentation of %d bytes and %d slides is %d', (bytes, slides, credits) => {
    expect(quote(deck, 'deck', resolveOptions(deck, 'extract', undefined), { bytes, slides }).quotedCredits).toBe(
      credits,
    )
  })

  test('counts started minutes of a transcript', () => {
    const jobPlan = resolveOptions(clip, 'transcribe', { transcription: { mode: 'quality' } })
    const { lineItems, quotedCredits } = quote(clip, 'clip', jobPlan, { bytes: 1, durationSeconds: 61 })
    expect(quotedCredits).toBe(10)
    expect(lineItems).toEqual([
      {
        kind: 'capability',
        credits: 10,
        capabilityId: 'media.transcript',
        mode: 'quality',
        unit: 'minute',
        quantity: 1.017,
        per: 1,
      },
    ])
  })

  test('is refused when a metric is missing, whatever the others say', () => {
    const jobPlan = resolveOptions(deck, 'extract', undefined)
    const refusal = (() => {
      try {
        return quote(deck, 'deck', jobPlan, { bytes: 500 * BYTES_PER_MB })
      } catch (error) {
        return error as RequestError
      }
    })()
    expect(refusal).toBeInstanceOf(RequestError)
    expect((refusal as RequestError).params).toEqual({
      format: 'deck',
      job: 'extract.deck',
      missingMetrics: ['documentUnits'],
      documentUnitKind: 'slides',
      fields: ['slideCount', 'documentUnitCount'],
    })
  })

  test("follows the operator's prices", () => {
    const [dearer, other] = applyPrices([deck, clip], {
      families: { deck: [{ metric: 'slides', per: 1, credits: 3 }] },
      addOns: { 'media.transcript': { fast: 7 } },
    })
    if (!dearer || !other) throw new Error('formats went missing')
    expect(
      quote(dearer, 'deck', resolveOptions(dearer, 'extract', undefined), { bytes: 1, slides: 2 }).quotedCredits,
    ).toBe(6)
    const bundled = quote(other, 'clip', resolveOptions(other, 'extract', withTranscript('fast')), {
      bytes: 1,
      durationSeconds: 60,
    })
    expect(bundled.lineItems.at(-1)?.credits).toBe(7)
    const alone = quote(other, 'clip', resolveOptions(other, 'transcribe', undefined), {
      bytes: 1,
      durationSeconds: 60,
    })
    expect(alone.quotedCredits).toBe(7)
  })
})

describe('terms and add-ons', () => {
  const reader = (id: string, addOns: readonly AddOn[]) =>
    defineCapability({ id, output: 'text', defaultSelected: true, options: {}, addOns, async *extract() {} })
  const picture = defineFormat({
    ...flipbook,
    name: 'picture',
    extensions: ['still', 'moving'],
    mimeTypes: {},
    price: [
      { metric: 'megabytes', per: 5 },
      { metric: 'frames', per: 10, extensions: ['moving'] },
    ],
    capabilities: ['picture.text', 'picture.markdown'].map((id) =>
      reader(id, [
        { metric: 'frames', per: 5, once: 'ocr', extensions: ['moving'] },
        { metric: 'files', per: 1, once: 'ocr', extensions: ['still'] },
      ]),
    ),
  })
  const price = (extension: string, measured: Metrics, selectedCapabilities: string[]) =>
    quote(picture, extension, resolveOptions(picture, 'extract', { extraction: { selectedCapabilities } }), measured)
  const both = ['picture.text', 'picture.markdown']

  test('hold for their extensions only', () => {
    expect(price('moving', { bytes: 1, frames: 31 }, ['picture.text']).quotedCredits).toBe(4 + 7)
    expect(price('still', { bytes: 1 }, ['picture.text']).quotedCredits).toBe(1 + 1)
    expect(() => price('moving', { bytes: 1 }, ['picture.text'])).toThrow(RequestError)
  })
  test('that share work are paid once', () => {
    const { lineItems, quotedCredits } = price('moving', { bytes: 1, frames: 31 }, both)
    expect(quotedCredits).toBe(4 + 7)
    expect(lineItems.map(({ kind, capabilityId }) => capabilityId ?? kind)).toEqual(['base', 'picture.text'])
  })
  test('must leave no extension without a price', () => {
    const price = [{ metric: 'frames', per: 10, extensions: ['moving'] } as const]
    expect(() => buildCatalog([{ ...picture, price }])).toThrow('has no price for still')
  })
})
