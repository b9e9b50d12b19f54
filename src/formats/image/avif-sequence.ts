import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Source } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import { decodeSequence, type Sequence } from '../../engines/ffmpeg-frames.ts'
import { MAX_PIXELS, type PictureInput } from '../../engines/sharp.ts'
import { perSource } from '../shared/per-source.ts'
import { readSequence } from './facts.ts'
import { whileDecoding } from './while-decoding.ts'

/** Frames decoded in one run: each run goes through the file from its start, and what it decodes waits on the disk. */
const BATCH_FRAMES = 60

/** The frames of an animated AVIF; each can be read until the next is asked for. */
export async function* readSequenceFrames(
  source: Source,
  context: Context,
  maxFrames: number,
): AsyncGenerator<PictureInput> {
  const sequence = await readSequence(source, context)
  const total = Math.min(sequence.frameDurationsSeconds.length, maxFrames)
  for (let first = 0; first < total; first += BATCH_FRAMES) {
    const folder = await mkdtemp(join(context.scratch, 'avifs-'))
    const wanted = { first, count: Math.min(BATCH_FRAMES, total - first), folder }
    for (const input of await decode(source, context, sequence, wanted)) yield { input }
    await rm(folder, { recursive: true })
  }
}

/** The first frame of an animated AVIF, decoded once for all that ask for it. */
export const readFirstOfSequence = perSource(async (source: Source, context: Context): Promise<PictureInput> => {
  const sequence = await readSequence(source, context)
  const folder = await mkdtemp(join(context.scratch, 'avifs-first-'))
  const [input] = await decode(source, context, sequence, { first: 0, count: 1, folder })
  if (input === undefined) throw new JobFailure('extract.source_unreadable')
  return { input }
})

const decode = (
  source: Source,
  context: Context,
  sequence: Sequence,
  wanted: { first: number; count: number; folder: string },
): Promise<string[]> =>
  whileDecoding(context, () => decodeSequence(source.path, sequence, wanted, { ...context, maxPixels: MAX_PIXELS }))
