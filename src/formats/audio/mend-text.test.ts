import { expect, it } from 'vitest'
import { mendText } from './mend-text.ts'

it('mends UTF-8 that was taken for Latin-1, and nothing else', () => {
  const broken = (text: string) => Buffer.from(text).toString('latin1')
  expect(mendText(broken('Größe 東京'))).toBe('Größe 東京')
  expect(mendText('Größe')).toBe('Größe')
  expect(mendText('東京 Größe')).toBe('東京 Größe')
  expect(mendText('plain')).toBe('plain')
})
