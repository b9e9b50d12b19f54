import { describe, expect, it } from 'vitest'
import { findPalette } from './palette.ts'

const pixels = (...runs: [count: number, ...rgba: [number, number, number, number]][]): Uint8Array =>
  Uint8Array.from(runs.flatMap(([count, ...rgba]) => Array.from({ length: count }, () => rgba).flat()))

describe('findPalette', () => {
  it('finds flat colours exactly, the largest share first', () => {
    const { colors } = findPalette(pixels([60, 250, 10, 10, 255], [30, 10, 10, 250, 255], [10, 255, 255, 255, 255]), 8)
    expect(colors).toEqual([
      { red: 250, green: 10, blue: 10, share: 0.6 },
      { red: 10, green: 10, blue: 250, share: 0.3 },
      { red: 255, green: 255, blue: 255, share: 0.1 },
    ])
  })

  it('makes one of colours that look alike', () => {
    const { colors } = findPalette(pixels([50, 100, 100, 100, 255], [50, 108, 100, 100, 255]), 8)
    expect(colors).toEqual([{ red: 104, green: 100, blue: 100, share: 1 }])
  })

  it('gives no more colours than asked for, and shares that add up', () => {
    const ramp = Array.from({ length: 256 }, (_, i): [number, number, number, number, number] => [
      3,
      i,
      255 - i,
      i,
      255,
    ])
    const { colors } = findPalette(pixels(...ramp), 5)
    expect(colors).toHaveLength(5)
    expect(colors.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1)
  })

  it('leaves out what cannot be seen', () => {
    const found = findPalette(pixels([75, 0, 255, 0, 0], [25, 200, 0, 0, 255]), 4)
    expect(found).toMatchObject({ transparentShare: 0.75, hasTransparency: true, average: { red: 200 } })
    expect(found.colors).toHaveLength(1)
  })

  it('has nothing to say of a picture of nothing', () => {
    const nothing = { colors: [], average: undefined, transparentShare: 1, hasTransparency: true }
    expect(findPalette(pixels([4, 9, 9, 9, 0]), 4)).toEqual(nothing)
  })
})
