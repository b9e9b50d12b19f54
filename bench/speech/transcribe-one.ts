import { createReadStream } from 'node:fs'
import { transcribeSpeech } from '../../src/transcripts/built-in/transcribe.ts'

/** Writes down one file of 16-bit samples at 16 kHz by the built-in engine, and tells what it cost. */
const [size, path, voices] = process.argv.slice(2)
const startMs = performance.now()
const { segments, durationSeconds } = await transcribeSpeech(createReadStream(path ?? ''), {
  size: size === 'tiny' ? 'tiny' : 'base',
  voices: voices === 'voices',
  signal: new AbortController().signal,
})
const { user, system } = process.cpuUsage()
process.stdout.write(
  JSON.stringify({
    segments,
    durationSeconds,
    cpuSeconds: (user + system) / 1e6,
    wallSeconds: (performance.now() - startMs) / 1000,
    peakMb: process.resourceUsage().maxRSS / 1024,
  }),
)
