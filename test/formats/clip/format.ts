import { readFile } from 'node:fs/promises'
import { defineCapability, defineFormat, type Source } from '../../../src/core/catalog.ts'
import { JobFailure } from '../../../src/core/errors.ts'

/** A `.clip` is text that starts with its length in seconds. */
const readSeconds = async (source: Source): Promise<number> => {
  const seconds = Number.parseFloat(await readFile(source.path, 'utf8'))
  if (!(seconds > 0)) throw new JobFailure('extract.source_unreadable')
  return seconds
}

const metadata = defineCapability({
  id: 'clip.metadata',
  output: 'metadata',
  defaultSelected: true,
  options: {},
  async *extract(source) {
    const data = `${JSON.stringify({ durationSeconds: await readSeconds(source) })}\n`
    yield { path: 'metadata/clip.json', mediaType: 'application/json', data }
  },
})

const MODES = [
  { id: 'fast', creditsPerMinute: 2 },
  { id: 'quality', creditsPerMinute: 5 },
  { id: 'meeting-intelligence', creditsPerMinute: 8 },
] as const

const transcript = defineCapability({
  id: 'media.transcript',
  output: 'transcript',
  defaultSelected: false,
  options: {
    'transcription.mode': {
      type: 'enum',
      required: true,
      defaultValue: 'fast',
      allowedValues: MODES.map(({ id }) => id),
    },
  },
  addOns: MODES.map(({ id, creditsPerMinute }) => ({
    metric: 'minutes',
    per: 1,
    credits: creditsPerMinute,
    when: { option: 'transcription.mode', value: id },
  })),
  // biome-ignore lint/correctness/useYield: there is no engine here that could.
  async *extract(_source, options) {
    throw new JobFailure('extract.audio_transcription.provider_not_configured', { mode: options['transcription.mode'] })
  },
})

/** A video family for tests: priced by length, with an add-on that no engine serves. */
export default defineFormat({
  name: 'clip',
  category: 'video',
  pool: 'video',
  extensions: ['clip'],
  mimeTypes: { clip: ['video/x-clip'] },
  price: [
    { metric: 'megabytes', per: 50 },
    { metric: 'minutes', per: 5 },
  ],
  accepts: [],
  engines: [{ name: 'clip', version: '1.0.0' }],
  probe: async (source) => ({ durationSeconds: await readSeconds(source) }),
  capabilities: [metadata, transcript],
  transcription: {
    modes: MODES.map((mode) => ({ ...mode, available: false })),
    languages: ['auto', 'en', 'de'],
  },
})
