import type { Context } from '../../core/catalog.ts'

/** Says that a picture is only in part what it should be. */
export const warnDamaged = (context: Context): void =>
  context.warn('image.damaged', 'The image is damaged or cut off; what could be decoded is in the result.')

/** The same context, through which each kind of warning passes only once. */
export const warnOnce = (context: Context): Context => {
  const told = new Set<string>()
  const warn: Context['warn'] = (code, detail) => {
    if (!told.has(code)) context.warn(code, detail)
    told.add(code)
  }
  return { ...context, warn }
}
