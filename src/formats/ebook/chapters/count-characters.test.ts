import { describe, expect, it } from 'vitest'
import { countCharacters } from './count-characters.ts'

describe('countCharacters', () => {
  it.each([
    ['plain text', 10],
    ['<p>a  b</p>\n<p>c</p>', 4],
    ['<html><head><title>not seen</title></head><body>&amp;&#233;x</body></html>', 3],
    ['<STYLE>p { x }</STYLE>ab', 2],
    ['a<style>never closed', 1],
    ['a & b; c < d', 9],
    ['', 0],
  ])('%s', (markup, characters) => {
    expect(countCharacters(markup)).toBe(characters)
  })
})
