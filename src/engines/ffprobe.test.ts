import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { probeMedia } from './ffprobe.ts'
import { measureDuration } from './ffprobe-duration.ts'
import { readDump } from './ffprobe-packets.ts'
import { readOrientation } from './ffprobe-streams.ts'

const matrix = (a: number, b: number, c: number, d: number) =>
  `\n00000000: ${a * 65536} ${b * 65536} 0\n00000001: ${c * 65536} ${d * 65536} 0\n00000002: 0 0 1073741824\n`

describe('readOrientation', () => {
  it.each([
    ['upright', matrix(1, 0, 0, 1), {}],
    ['turned to the right', matrix(0, 1, -1, 0), { rotation: 90 }],
    ['upside down', matrix(-1, 0, 0, -1), { rotation: 180 }],
    ['turned to the left', matrix(0, -1, 1, 0), { rotation: 270 }],
    ['mirrored', matrix(-1, 0, 0, 1), { isFlipped: true }],
    ['without a matrix', undefined, {}],
    ['with one that shows nothing', matrix(0, 0, 0, 0), {}],
  ])('%s', (_what, text, expected) => {
    expect(readOrientation(text)).toEqual(expected)
  })
})

describe('readDump', () => {
  it('reads the bytes and not the letters beside them', () => {
    const dump =
      '\n00000000: 5468 6973 2069 7320 7468 6520 6669 7273  This is the firs\n00000010: 7420 7375 6274 6974 6c65 2e              t subtitle.\n'
    expect(readDump(dump).toString()).toBe('This is the first subtitle.')
  })
})

describe('measureDuration', () => {
  let folder: string
  const path = (name: string) => join(folder, name)
  const make = (...args: string[]) =>
    execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args], { cwd: folder })
  const measure = async (name: string) => {
    const job = { signal: new AbortController().signal, scratch: folder }
    const facts = await probeMedia(path(name), job)
    return { declared: facts.declaredSeconds, measured: await measureDuration(path(name), facts, job) }
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'probe-'))
    const tone = ['-f', 'lavfi', '-i', 'sine=d=20']
    make(...tone, '-c:a', 'aac', '-movflags', '+faststart', 'tone.mp4')
    make('-i', 'tone.mp4', '-c', 'copy', '-f', 'adts', 'tone.aac')
    make('-i', 'tone.mp4', '-c', 'copy', 'tone.mkv')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('believes a container that tells the truth', async () => {
    const { declared, measured } = await measure('tone.mp4')
    expect(measured).toBe(declared)
    expect(Math.abs(measured - 20)).toBeLessThan(0.1)
  })

  it('counts the packets of one that has no clock', async () => {
    const { measured } = await measure('tone.aac')
    expect(Math.abs(measured - 20)).toBeLessThan(0.1)
  })

  it('counts what is there of a file that was cut off', async () => {
    const bytes = await readFile(path('tone.mp4'))
    await writeFile(path('cut.mp4'), bytes.subarray(0, Math.floor(bytes.length / 2)))
    const { declared, measured } = await measure('cut.mp4')
    expect(declared).toBeGreaterThan(19)
    expect(measured).toBeGreaterThan(5)
    expect(measured).toBeLessThan(12)
  })

  it('finds out one that says it is short', async () => {
    const bytes = await readFile(path('tone.mkv'))
    // The element Duration, a float of eight bytes, in milliseconds.
    bytes.writeDoubleBE(1_000, bytes.indexOf(Buffer.from('448988', 'hex')) + 3)
    await writeFile(path('short.mkv'), bytes)
    const { declared, measured } = await measure('short.mkv')
    expect(declared).toBe(1)
    expect(Math.abs(measured - 20)).toBeLessThan(0.1)
  })

  it('counts where the container is silent', async () => {
    make('-i', 'tone.mp4', '-c', 'copy', '-f', 'matroska', '-live', '1', 'silent.mkv')
    const { declared, measured } = await measure('silent.mkv')
    expect(declared).toBeUndefined()
    expect(Math.abs(measured - 20)).toBeLessThan(0.1)
  })
})
