import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSharp } from '../../engines/sharp.ts'
import { type Bench, openBench } from './sound-fixture.ts'
import { waveform } from './waveform.ts'

let bench: Bench
beforeAll(() => {
  bench = openBench()
})
afterAll(() => bench.close())

describe('audio.waveform', () => {
  it('lists and draws the shape of the sound', async () => {
    const loudThenQuiet = 'aevalsrc=if(lt(t\\,1)\\,0.8\\,0.2)*sin(441*2*PI*t):d=2:s=44100'
    const source = bench.make('shape.wav', '-f', 'lavfi', '-i', loudThenQuiet)
    const { files } = await bench.run(waveform, source, { options: { points: 10, width: 100, height: 41 } })
    const found = JSON.parse(readFileSync(files['metadata/shape.waveform.json'] as string, 'utf8'))
    expect(found).toMatchObject({
      durationSeconds: 2,
      sampleRate: 44100,
      channels: 1,
      points: 10,
      secondsPerPoint: 0.2,
    })
    for (const [i, level] of [0.8, 0.8, 0.8, 0.8, 0.8, 0.2, 0.2, 0.2, 0.2, 0.2].entries()) {
      expect(found.max[i]).toBeCloseTo(level, 2)
      expect(found.min[i]).toBeCloseTo(-level, 2)
      expect(found.rms[i]).toBeCloseTo(level / Math.SQRT2, 2)
    }
    const sharp = await loadSharp()
    const { data, info } = await sharp(files['images/shape.waveform.png'])
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([100, 41])
    const filledRows = (x: number) =>
      Array.from({ length: 41 }, (_, y) => data[(y * 100 + x) * 4 + 3]).filter((a) => a === 255)
    expect(filledRows(10)).toHaveLength(33)
    expect(filledRows(90)).toHaveLength(9)
  })
})
