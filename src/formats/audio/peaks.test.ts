import { describe, expect, it } from 'vitest'
import { createPeakCounter, reducePeaks } from './peaks.ts'

const toBytes = (samples: readonly number[]): Buffer => Buffer.from(new Int16Array(samples).buffer)

describe('createPeakCounter', () => {
  it('finds the same in bytes that are cut anywhere', () => {
    const bytes = toBytes(Array.from({ length: 997 }, (_, i) => Math.round(Math.sin(i / 7) * 20_000)))
    const whole = createPeakCounter(1)
    whole.add(bytes)
    const pieces = createPeakCounter(1)
    for (let start = 0; start < bytes.length; start += 13) pieces.add(bytes.subarray(start, start + 13))
    expect(pieces.finish()).toEqual(whole.finish())
  })

  it('keeps to its capacity and loses no peak', () => {
    const counter = createPeakCounter(2, 8)
    const samples = new Array<number>(400).fill(100)
    samples[123] = -32_768
    samples[300] = 32_767
    counter.add(toBytes(samples))
    const { framesPerBucket, min, max, counts } = counter.finish()
    expect(framesPerBucket).toBe(32)
    expect(min.length).toBe(7)
    expect([...min]).toEqual([100, -32_768, 100, 100, 100, 100, 100])
    expect([...max]).toEqual([100, 100, 100, 100, 32_767, 100, 100])
    expect(counts.reduce((sum, count) => sum + count)).toBe(400)
  })
})

describe('reducePeaks', () => {
  it('gives least, greatest and root mean square of each stretch', () => {
    const counter = createPeakCounter(1)
    counter.add(toBytes([16_384, -16_384, 0, 0, 8_192, 8_192]))
    expect(reducePeaks(counter.finish(), 3)).toEqual([
      { min: -0.5, max: 0.5, rms: 0.5 },
      { min: 0, max: 0, rms: 0 },
      { min: 0.25, max: 0.25, rms: 0.25 },
    ])
  })

  it('gives no more points than there are samples, and none for no sound', () => {
    const counter = createPeakCounter(1)
    expect(reducePeaks(counter.finish(), 5)).toEqual([])
    counter.add(toBytes([1, 2]))
    expect(reducePeaks(counter.finish(), 5)).toHaveLength(2)
  })
})
