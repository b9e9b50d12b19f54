import { useEffect, useState } from 'react'
import type { Measures } from './measure/measure.ts'

/** What the browser finds out about a file by itself; undefined while it still looks. Null measures nothing. */
export const useFileMeasures = (file: File | null, category: string | undefined): Measures | undefined => {
  const [state, setState] = useState<{ file: File; measures: Measures }>()
  useEffect(() => {
    if (file === null || category === undefined) return
    const abort = new AbortController()
    import('./measure/measure.ts')
      .then(({ measure }) => measure(file, category, abort.signal))
      // Without the code that measures, the service still does.
      .catch(() => ({}))
      .then((measures) => {
        if (!abort.signal.aborted) setState({ file, measures })
      })
    return () => abort.abort()
  }, [file, category])
  return state !== undefined && state.file === file ? state.measures : undefined
}
