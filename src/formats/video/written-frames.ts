import type { Source } from '../../core/catalog.ts'

/** A frame of the result: when it was shown, and where it lies. */
export type WrittenFrame = { timeSeconds: number; path: string }

const written = new WeakMap<Source, readonly WrittenFrame[]>()

/** Remembers the frames of a job for what comes after them. */
export const rememberFrames = (source: Source, frames: readonly WrittenFrame[]): void =>
  void written.set(source, frames)

/** The frames that a job has written before; none where it was not asked for any. */
export const listWrittenFrames = async (source: Source): Promise<readonly WrittenFrame[]> => written.get(source) ?? []
