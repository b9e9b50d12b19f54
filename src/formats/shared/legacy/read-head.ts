import { open } from 'node:fs/promises'
import type { Source } from '../../../core/catalog.ts'

/** The first bytes of a source. */
export const readHead = async (source: Source, bytes: number): Promise<Buffer> => {
  const handle = await open(source.path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
