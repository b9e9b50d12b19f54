import { useEffect, useState } from 'react'
import type { OutputFile } from '../../../../src/jobs/records.ts'
import { useFileAddress } from './result-context.ts'
import { extensionOf } from './sort-files.ts'

const MAX_WHOLE_BYTES = 64 * 1024 * 1024

/**
 * The address that a sound plays from. What lies packed in the ZIP comes without ranges, and a browser cannot seek in
 * it: that is fetched whole, while it is small enough.
 */
export const useSoundAddress = (file: OutputFile): string | undefined => {
  const address = useFileAddress()(file.path)
  const isPacked = /^(?:wav|aiff?)$/.test(extensionOf(file.path)) && file.bytes <= MAX_WHOLE_BYTES
  const [local, setLocal] = useState<{ of: string; url: string }>()
  useEffect(() => {
    if (!isPacked) return
    const abort = new AbortController()
    let url: string | undefined
    const load = async () => {
      const response = await fetch(address, { signal: abort.signal })
      if (!response.ok) return
      url = URL.createObjectURL(await response.blob())
      setLocal({ of: address, url })
    }
    // Without it the player tells itself that there is nothing to play.
    load().catch(() => undefined)
    return () => {
      abort.abort()
      if (url) URL.revokeObjectURL(url)
    }
  }, [address, isPacked])
  if (!isPacked) return address
  return local?.of === address ? local.url : undefined
}

/** The address of a file that is at hand. */
export const useBlobAddress = (blob: Blob | undefined): string | undefined => {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => {
      URL.revokeObjectURL(made)
      setUrl(undefined)
    }
  }, [blob])
  return blob ? url : undefined
}
