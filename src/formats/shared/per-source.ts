import type { Context, Source } from '../../core/catalog.ts'

/**
 * Remembers what `load` found in a source, so that several capabilities of one job share one pass over the file.
 * `key` tells apart readings of the same file, such as two encodings.
 */
export const perSource = <T>(
  load: (source: Source, context: Context, key: string) => Promise<T>,
): ((source: Source, context: Context, key?: string) => Promise<T>) => {
  const known = new WeakMap<Source, Map<string, Promise<T>>>()
  return (source, context, key = '') => {
    const readings = known.get(source) ?? new Map<string, Promise<T>>()
    known.set(source, readings)
    const found = readings.get(key) ?? load(source, context, key)
    readings.set(key, found)
    return found
  }
}
