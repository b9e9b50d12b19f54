import type { Context } from '../../core/catalog.ts'
import { keepAlive } from '../shared/keep-alive.ts'

/** A little more than the decoders' own limits. */
const MAX_DECODING_MS = 130_000

/** Tells the watchdog that a decoder is at work, for as long as one may take. */
export const whileDecoding = <T>(context: Context, work: () => Promise<T>): Promise<T> =>
  keepAlive(context, work, MAX_DECODING_MS)
