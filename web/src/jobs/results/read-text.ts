import { useEffect, useState } from 'react'
import { ApiError } from '../../api/client.ts'

export type ReadText = { text: string; isCut: boolean }

/** The first bytes of a file of text; the rest is not even asked for. */
export const readText = async (address: string, maxBytes: number, signal?: AbortSignal): Promise<ReadText> => {
  const response = await fetch(address, signal ? { signal } : {})
  if (!response.ok || !response.body) {
    throw new ApiError(response.status, (await response.json().catch(() => ({}))) as object)
  }
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { text: text + decoder.decode(), isCut: false }
    const room = maxBytes - bytes
    text += decoder.decode(value.subarray(0, room), { stream: true })
    bytes += value.length
    if (bytes > maxBytes) {
      await reader.cancel()
      return { text, isCut: true }
    }
  }
}

/** The first bytes of a file of text, read when the component appears. Null reads nothing. */
export const useText = (address: string | null, maxBytes: number): { read: ReadText | undefined; error: unknown } => {
  const [state, setState] = useState<{ address?: string; read?: ReadText; error?: unknown }>({})
  useEffect(() => {
    if (address === null) return
    const abort = new AbortController()
    readText(address, maxBytes, abort.signal).then(
      (read) => setState({ address, read }),
      (error: unknown) => {
        if (!abort.signal.aborted) setState({ address, error })
      },
    )
    return () => abort.abort()
  }, [address, maxBytes])
  return state.address === address ? { read: state.read, error: state.error } : { read: undefined, error: undefined }
}
