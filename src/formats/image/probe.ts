import type { Context, Source } from '../../core/catalog.ts'
import type { Metrics } from '../../core/metrics.ts'
import { readFacts } from './facts.ts'

/** Counts frames, pages or sizes from the headers of the file. */
export const probe = async (source: Source, context: Context): Promise<Omit<Metrics, 'bytes'>> => ({
  frames: (await readFacts(source, context)).frames,
})
