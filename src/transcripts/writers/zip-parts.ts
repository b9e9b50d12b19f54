import type { Readable } from 'node:stream'

/** A file of a container; `isStored` where the format wants it uncompressed. */
export type ZipPart = { path: string; text: string; isStored?: boolean }

// Local components, because that is what the format stores: the same bytes in every time zone.
const fixedTime = () => new Date(2000, 0, 1)

/** A ZIP of text files, in the order given; the same parts always give the same bytes. */
export const zipParts = async (parts: readonly ZipPart[]): Promise<Uint8Array> => {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  for (const { path, text, isStored = false } of parts) {
    zip.addBuffer(Buffer.from(text), path, {
      mtime: fixedTime(),
      forceDosTimestamp: true,
      mode: 0o100644,
      compress: !isStored,
    })
  }
  zip.end()
  return Buffer.concat(await (zip.outputStream as Readable).toArray())
}
