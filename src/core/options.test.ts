import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import clip from '../../test/formats/clip/format.ts'
import deck from '../../test/formats/deck/format.ts'
import { defineCapability, defineFormat, valueProblem } from './catalog.ts'
import { RequestError } from './errors.ts'
import { redactPlan, resolveOptions, sharedValues } from './options.ts'

const refusalOf = (work: () => unknown): RequestError => {
  try {
    work()
  } catch (error) {
    if (error instanceof RequestError) return error
    throw error
  }
  throw new Error('nothing was refused')
}
const extraction = (value: object) => ({ extraction: value })

describe('options', () => {
  test('left out are the defaults of the catalog', () => {
    const plan = resolveOptions(deck, 'extract', undefined)
    expect(plan).toEqual(resolveOptions(deck, 'extract', {}))
    expect(plan).toEqual(resolveOptions(deck, 'extract', { extraction: null }))
    expect(plan.includeManifest).toBe(true)
    expect(plan.capabilities).toEqual([{ id: 'deck.text', values: { lineEnding: 'lf', includeNumbers: false } }])
  })

  test('make the same plan in whatever order they are written', () => {
    const ids = ['deck.text', 'deck.notes']
    const one = resolveOptions(deck, 'extract', extraction({ selectedCapabilities: ids }))
    expect(resolveOptions(deck, 'extract', extraction({ selectedCapabilities: [...ids, ...ids].reverse() }))).toEqual(
      one,
    )
  })

  test.each([
    [{ nonsense: 1 }, 'request.unknown_field', { field: 'options.nonsense' }],
    [extraction({ nonsense: 1 }), 'request.unknown_field', { field: 'options.extraction.nonsense' }],
    [{ transcription: {} }, 'request.unknown_field', { field: 'options.transcription' }],
    ['text', 'request.invalid_parameter', { path: 'options' }],
    [extraction({ selectedCapabilities: [] }), 'request.invalid_parameter', {}],
    [extraction({ selectedCapabilities: 'deck.text' }), 'request.invalid_parameter', {}],
    [extraction({ selectedCapabilities: ['pdf.text'] }), 'request.invalid_parameter', { value: 'pdf.text' }],
    [extraction({ includeManifest: 'yes' }), 'request.invalid_parameter', { value: 'yes' }],
    [
      extraction({ capabilityOptions: { 'deck.text': { nonsense: 1 } } }),
      'request.invalid_parameter',
      { value: 'nonsense' },
    ],
    [
      extraction({ capabilityOptions: { 'deck.text': { lineEnding: 'cr' } } }),
      'request.invalid_parameter',
      { allowed: ['lf', 'crlf'] },
    ],
    [
      extraction({ capabilityOptions: { 'deck.images': { maxImages: 1.5 } } }),
      'request.invalid_parameter',
      { allowed: { min: 1, max: 500 } },
    ],
    [extraction({ capabilityOptions: { 'deck.text': { constructor: 1 } } }), 'request.invalid_parameter', {}],
    [extraction({ selectedCapabilities: ['deck.notes'] }), 'request.constraint_violated', {}],
    [{ webhookSecret: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz' }, 'request.invalid_parameter', {}],
    [{ webhookUrl: 'not a url' }, 'request.invalid_parameter', { path: 'options.webhookUrl' }],
    [
      { webhookUrl: 'https://example.com', webhookSecret: 'short' },
      'request.invalid_parameter',
      { path: 'options.webhookSecret' },
    ],
    [
      { webhookUrl: 'https://example.com', webhookEvents: ['job.exploded'] },
      'request.invalid_parameter',
      { path: 'options.webhookEvents' },
    ],
  ])('%j are refused with %s', (options, code, params) => {
    const refusal = refusalOf(() => resolveOptions(deck, 'extract', options))
    expect(refusal.code).toBe(code)
    expect(refusal.params).toMatchObject(params)
  })

  test('of a constraint with an option bind only at that value', () => {
    const pick = (layout: string) =>
      extraction({
        selectedCapabilities: ['deck.text', 'deck.images', 'deck.notes'],
        capabilityOptions: { 'deck.images': { layout } },
      })
    expect(resolveOptions(deck, 'extract', pick('single')).capabilities).toHaveLength(3)
    expect(refusalOf(() => resolveOptions(deck, 'extract', pick('handout'))).code).toBe('request.constraint_violated')
  })

  test('of a transcription become a plan for the transcript alone', () => {
    const { capabilities, transcription } = resolveOptions(clip, 'transcribe', {
      transcription: { mode: 'quality', includePdf: false },
    })
    expect(transcription).toMatchObject({ mode: 'quality', language: 'auto', includePdf: false, includeTxt: true })
    expect(capabilities).toMatchObject([{ id: 'media.transcript', values: { 'transcription.mode': 'quality' } }])
    expect(refusalOf(() => resolveOptions(clip, 'transcribe', { transcription: { language: 'x!' } })).code).toBe(
      'request.invalid_parameter',
    )
  })

  test('that are anything at all are resolved or refused, never a crash', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (value, nested) => {
        for (const options of [
          value,
          { extraction: value },
          { extraction: { capabilityOptions: { 'deck.text': nested } } },
        ]) {
          try {
            const plan = resolveOptions(deck, 'extract', options)
            expect(plan.capabilities.length).toBeGreaterThan(0)
          } catch (error) {
            expect(error).toBeInstanceOf(RequestError)
          }
        }
      }),
    )
  })

  test('in a plan always fit their declaration', () => {
    const value = fc.oneof(
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.integer(),
      fc.constantFrom('lf', 'crlf', 'single', 'handout'),
    )
    fc.assert(
      fc.property(fc.record({ lineEnding: value, includeNumbers: value }, { requiredKeys: [] }), (given) => {
        try {
          const { capabilities } = resolveOptions(
            deck,
            'extract',
            extraction({ capabilityOptions: { 'deck.text': given } }),
          )
          for (const { id, values } of capabilities) {
            const specs = deck.capabilities.find((capability) => capability.id === id)?.options ?? {}
            for (const [key, spec] of Object.entries(specs)) expect(valueProblem(spec, values[key])).toBeUndefined()
          }
        } catch (error) {
          expect(error).toBeInstanceOf(RequestError)
        }
      }),
    )
  })

  test('that are secret are hidden from what is shown and kept', () => {
    const plan = resolveOptions(deck, 'extract', {
      ...extraction({
        selectedCapabilities: ['deck.text', 'deck.notes'],
        capabilityOptions: { 'deck.notes': { password: 'hunter2' } },
      }),
      webhookUrl: 'https://example.com/hook',
      webhookSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    })
    expect(JSON.stringify(plan)).toContain('hunter2')
    const shown = JSON.stringify(redactPlan(deck, plan))
    expect(shown).not.toContain('hunter2')
    expect(shown).not.toContain('whsec_')
  })

  test('with a wrong secret do not echo it', () => {
    const refusal = refusalOf(() =>
      resolveOptions(
        deck,
        'extract',
        extraction({ capabilityOptions: { 'deck.notes': { password: 'x'.repeat(500) } } }),
      ),
    )
    expect(JSON.stringify(refusal.params)).not.toContain('xxxx')
  })
})

describe('shared options', () => {
  const password = { type: 'string', defaultValue: '', maxLength: 100, secret: true, shared: true } as const
  const withPassword = (id: string) =>
    defineCapability({ id, output: 'x', defaultSelected: true, options: { password }, async *extract() {} })
  const alone = defineCapability({
    id: 'box.alone',
    output: 'x',
    defaultSelected: true,
    options: { password: { ...password, shared: false } },
    async *extract() {},
  })
  const box = defineFormat({
    ...deck,
    name: 'box',
    capabilities: [withPassword('box.one'), withPassword('box.two'), withPassword('box.three'), alone],
    constraints: [],
  })
  const resolve = (capabilityOptions: object, selectedCapabilities?: string[]) =>
    resolveOptions(
      box,
      'extract',
      extraction({ capabilityOptions, ...(selectedCapabilities && { selectedCapabilities }) }),
    )
  const passwords = (plan: ReturnType<typeof resolve>) => plan.capabilities.map(({ values }) => values.password)

  test('given once hold for every capability that was not given its own', () => {
    const plan = resolve({ 'box.two': { password: 'b' }, 'box.three': { password: 'c' } })
    expect(passwords(plan)).toEqual(['b', 'b', 'c', ''])
    expect(sharedValues(box, plan.capabilities)).toEqual({ password: 'b' })
  })
  test('given to a capability that was not selected hold for none', () => {
    const plan = resolve({ 'box.two': { password: 'b' } }, ['box.one'])
    expect(passwords(plan)).toEqual([''])
    expect(sharedValues(box, plan.capabilities)).toEqual({ password: '' })
  })
  test('stay secret wherever they come to', () => {
    const plan = resolve({ 'box.two': { password: 'sesame' } })
    expect(JSON.stringify(redactPlan(box, plan))).not.toContain('sesame')
  })
})
