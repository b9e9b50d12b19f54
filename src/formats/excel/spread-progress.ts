import type { Context } from '../../core/catalog.ts'

/** Divides what is left of a capability's progress among its sheets. */
export const spreadProgress =
  (context: Context, from: number, sheets: number) =>
  (index: number) =>
  (share: number): void =>
    context.progress(Math.min(1, from + ((1 - from) * (index + Math.min(1, share))) / Math.max(1, sheets)))
