import { describe, expect, test } from 'vitest'
import deck from '../../test/formats/deck/format.ts'
import {
  buildCatalog,
  type Capability,
  type Constraint,
  type Format,
  findFormat,
  normalizeExtension,
} from './catalog.ts'

const problemsOf = (...formats: Format[]): string => {
  try {
    buildCatalog(formats)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}
const [text] = deck.capabilities as [Capability]
const withText = (change: Partial<Capability>): Format => ({
  ...deck,
  constraints: [],
  capabilities: [{ ...text, ...change }],
})
const withConstraint = (change: Partial<Constraint>): Format => ({
  ...deck,
  constraints: [{ type: 'requires', capabilityId: 'deck.text', targets: ['deck.notes'], detail: '', ...change }],
})

describe('the catalog', () => {
  test('finds a format by any spelling of its extension', () => {
    const catalog = buildCatalog([deck])
    for (const spelling of ['deck', '.deck', 'DECK', '.Deck'])
      expect(findFormat(catalog, normalizeExtension(spelling))).toBe(deck)
    expect(findFormat(catalog, 'deckx')).toBeUndefined()
    expect(findFormat(catalog, '')).toBeUndefined()
  })

  test.each<[string, Format[], string]>([
    ['an extension of two families', [deck, { ...deck, name: 'other' }], 'deck is declared by both deck and other'],
    [
      'two families of one name',
      [deck, { ...deck, extensions: ['deck2'], mimeTypes: {} }],
      'two families are called deck',
    ],
    ['an extension with a dot', [{ ...deck, extensions: ['.deck'], mimeTypes: {} }], 'lower case without a dot'],
    ['no capability', [{ ...deck, capabilities: [], constraints: [] }], 'has no capability'],
    ['nothing selected by default', [withText({ defaultSelected: false })], 'selected by default'],
    ['no price', [{ ...deck, price: [] }], 'has no price'],
    ['a price on what is not measured', [{ ...deck, probe: undefined }], 'priced on slides but has no probe'],
    [
      'a default that is not allowed',
      [withText({ options: { a: { type: 'enum', allowedValues: ['x'], defaultValue: 'y' } } })],
      'default of deck.text/a',
    ],
    [
      'a default out of range',
      [withText({ options: { a: { type: 'integer', min: 1, max: 2, defaultValue: 3 } } })],
      'default of deck.text/a',
    ],
    [
      'an add-on on an unknown option',
      [withText({ addOns: [{ metric: 'pages', per: 1, when: { option: 'z', value: 'y' } }] })],
      'looks at option z',
    ],
    ['a constraint on an unknown capability', [withConstraint({ targets: ['deck.sound'] })], 'refers to deck.sound'],
    ['a constraint on an unknown option', [withConstraint({ option: { id: 'z', value: 1 } })], 'refers to option z'],
    [
      'a constraint on an impossible value',
      [withConstraint({ option: { id: 'lineEnding', value: 'cr' } })],
      'cannot have',
    ],
    ['a MIME type of a foreign extension', [{ ...deck, mimeTypes: { pptx: [] } }], 'which it does not take'],
  ])('refuses %s', (_what, formats, problem) => {
    expect(problemsOf(...formats)).toContain(problem)
  })

  test('names every problem at once', () => {
    const broken: Format = { ...deck, price: [], capabilities: [], constraints: [] }
    expect(problemsOf(broken).split('\n').length).toBeGreaterThan(2)
  })
})
