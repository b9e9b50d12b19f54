import { expect, test } from 'vitest'
import { coversScript, languageOfScript } from './choose-languages.ts'

test.each<[string[], string, boolean]>([
  [['eng'], 'Latin', true],
  [['eng'], 'Fraktur', true],
  [['eng'], 'Cyrillic', false],
  [['eng', 'ukr'], 'Cyrillic', true],
  [['jpn'], 'Han', true],
  [['chi_sim'], 'Japanese', false],
  [['kor'], 'Hangul', true],
  [['xyz'], 'Thai', true],
])('%j for %s: %s', (languages, script, covers) => {
  expect(coversScript(languages, script)).toBe(covers)
})

test('the first installed language of a script', () => {
  expect(languageOfScript('Cyrillic', ['eng', 'ukr', 'rus'])).toBe('rus')
  expect(languageOfScript('Cyrillic', ['eng', 'ukr'])).toBe('ukr')
  expect(languageOfScript('Thai', ['eng'])).toBeUndefined()
})
