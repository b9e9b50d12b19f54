import { JobFailure } from '../../core/errors.ts'
import { overLimit } from '../shared/decode.ts'

/** Members that a listing may have. */
export const MAX_MEMBERS = 100_000
/** Files that one job may take out. */
export const MAX_FILES = 10_000
/** Bytes that one job may take out. */
export const MAX_UNPACKED_BYTES = 6 * 1024 ** 3
/** Bytes that may be unpacked only to see what is there. */
const MAX_SCANNED_BYTES = 64 * 1024 ** 3
/** Unpacked bytes per packed byte, looked at only where much is unpacked. */
const MAX_RATIO = 200
const RATIO_MATTERS_FROM_BYTES = 256 * 1024 ** 2
/** Archives inside archives. */
export const MAX_DEPTH = 3

/** Fails where so much comes out of so little that nobody can have meant it. */
export const refuseBomb = (unpackedBytes: number, packedBytes: number): void => {
  if (unpackedBytes > MAX_SCANNED_BYTES) throw overLimit('archiveBytes', MAX_SCANNED_BYTES)
  if (unpackedBytes > RATIO_MATTERS_FROM_BYTES && unpackedBytes > MAX_RATIO * packedBytes) {
    throw overLimit('archiveRatio', MAX_RATIO)
  }
}

/** What one job may still unpack, over all archives that lie in its source. */
export type Budget = {
  take(bytes: number): void
  /** Fails where so many bytes could not be taken; they are not counted. */
  refuse(bytes: number): void
}

export const createBudget = (sourceBytes: number, maxBytes = MAX_UNPACKED_BYTES): Budget => {
  let taken = 0
  const refuse = (bytes: number): void => {
    if (taken + bytes > maxBytes) throw overLimit('archiveBytes', maxBytes)
    refuseBomb(taken + bytes, sourceBytes)
  }
  return {
    take(bytes) {
      refuse(bytes)
      taken += bytes
    },
    refuse,
  }
}

/** The failure of an archive that cannot be read at all. */
export const unreadable = (reason: string, detail: string, cause?: unknown): JobFailure =>
  new JobFailure('extract.source_unreadable', { reason }, { detail, cause })
