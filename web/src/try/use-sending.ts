import { useEffect, useRef, useState } from 'react'
import { upload } from './upload.ts'

/** A file on its way to the service. */
export type Sending = { what: 'measure' | 'submit'; percent: number }

/** Sends one thing at a time, tells how far it is, and stops it on demand or when the page goes. */
export const useSending = () => {
  const [sending, setSending] = useState<Sending | null>(null)
  const abort = useRef<AbortController>(null)
  useEffect(() => () => abort.current?.abort(), [])
  /** The answer; undefined when it was cancelled. */
  const send = async <T>(
    what: Sending['what'],
    work: (sendForm: (path: string, form: FormData) => Promise<T>, signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> => {
    const current = new AbortController()
    abort.current = current
    setSending({ what, percent: 0 })
    try {
      const { signal } = current
      const onProgress = (percent: number) => setSending({ what, percent })
      return await work((path, form) => upload<T>(path, form, { signal, onProgress }), signal)
    } catch (error) {
      if (current.signal.aborted) return undefined
      throw error
    } finally {
      setSending(null)
    }
  }
  return { sending, send, cancel: () => abort.current?.abort() }
}
