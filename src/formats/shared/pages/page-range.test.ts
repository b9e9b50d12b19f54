import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PAGE_RANGE_PATTERN, parsePageRange } from './page-range.ts'

const pattern = new RegExp(`^(?:${PAGE_RANGE_PATTERN})$`, 'u')

describe('a page range', () => {
  it.each<[string, number[], boolean]>([
    ['', [1, 2, 3, 4, 5], false],
    ['3', [3], false],
    ['1-3,5', [1, 2, 3, 5], false],
    ['4-', [4, 5], false],
    ['-2', [1, 2], false],
    [' 2 - 3 , 1 ', [1, 2, 3], false],
    ['5-4, 4', [4, 5], false],
    ['4-9', [4, 5], true],
    ['0-1', [1], true],
    ['7', [], true],
    ['9-', [], true],
    ['99999999999999999999-', [], true],
  ])('%s', (range, numbers, goesBeyond) => {
    expect(parsePageRange(range, 5)).toEqual({ numbers, goesBeyond })
  })

  it.each(['1', '1-3', '1-3,8,12-', '-4', ' 1 , 2 - 3 '])('may be %s', (range) => {
    expect(range).toMatch(pattern)
  })

  it.each(['a', '1--3', '1,', ',', '-', '1-3-5', '1 2', '1;2', '١'])('may not be %s', (range) => {
    expect(range).not.toMatch(pattern)
  })

  it('names pages of the file in order, each once, and quickly', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(new RegExp(`^${PAGE_RANGE_PATTERN}$`)),
        fc.integer({ min: 1, max: 50 }),
        (range, pageCount) => {
          const { numbers } = parsePageRange(range, pageCount)
          expect(numbers).toEqual(
            [...new Set(numbers)].filter((page) => page >= 1 && page <= pageCount).sort((a, b) => a - b),
          )
        },
      ),
    )
  })
})
