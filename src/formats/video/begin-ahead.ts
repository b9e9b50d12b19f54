import type { Context, Source } from '../../core/catalog.ts'

type Warning = { code: string; detail: string }

/** Work that may have begun before its capability has its turn. */
type Begun = { result: Promise<unknown>; attach(context: Context): void }

const begun = new WeakMap<Source, Map<string, Begun>>()

/**
 * Begins the work of a capability once per source, whoever asks first. What it has to say before its own capability
 * listens is kept until then.
 */
export const beginAhead = <T>(
  source: Source,
  id: string,
  context: Context,
  work: (context: Context) => Promise<T>,
): { result: Promise<T>; attach(context: Context): void } => {
  const known = begun.get(source) ?? new Map<string, Begun>()
  begun.set(source, known)
  const found = known.get(id) ?? start(context, work)
  known.set(id, found)
  return found as { result: Promise<T>; attach(context: Context): void }
}

const start = (context: Context, work: (context: Context) => Promise<unknown>): Begun => {
  const warnings: Warning[] = []
  let listener: Context | undefined
  let fraction = 0
  const result = work({
    ...context,
    progress: (done) => {
      fraction = Math.max(fraction, done)
      listener?.progress(fraction)
    },
    warn: (code, detail) => {
      if (listener) listener.warn(code, detail)
      else warnings.push({ code, detail })
    },
  })
  // Whoever waits for it hears of its failure; nobody may be waiting yet.
  result.catch(() => {})
  return {
    result,
    attach(own) {
      listener = own
      for (const { code, detail } of warnings.splice(0)) own.warn(code, detail)
      own.progress(fraction)
    },
  }
}
