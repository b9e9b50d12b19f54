import { open } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'

/** Writes a PDF object by object, so that no more than one of them is held. */
export type PdfFileWriter = {
  add(number: number, body: string | Uint8Array): Promise<void>
  finish(catalog: number): Promise<void>
  close(): Promise<void>
}

/** Starts a PDF file. */
export const createPdfFile = async (path: string): Promise<PdfFileWriter> => {
  const handle = await open(path, 'w')
  const offsets: number[] = []
  let at = 0
  const write = async (data: string | Uint8Array): Promise<void> => {
    const bytes = Buffer.from(data)
    await handle.write(bytes)
    at += bytes.length
  }
  await write('%PDF-1.5\n')
  return {
    async add(number, body) {
      offsets[number] = at
      await write(`${number} 0 obj\n`)
      await write(body)
      await write('\nendobj\n')
    },
    async finish(catalog) {
      const start = at
      const entries = Array.from({ length: offsets.length }, (_, number) =>
        offsets[number] === undefined
          ? '0000000000 65535 f \n'
          : `${String(offsets[number]).padStart(10, '0')} 00000 n \n`,
      )
      await write(`xref\n0 ${offsets.length}\n`)
      for (let from = 0; from < entries.length; from += 1_000) await write(entries.slice(from, from + 1_000).join(''))
      await write(`trailer\n<</Size ${offsets.length}/Root ${catalog} 0 R>>\nstartxref\n${start}\n%%EOF\n`)
    },
    close: () => handle.close(),
  }
}

/** The body of a stream object, compressed. */
export const stream = (data: Uint8Array, members = ''): Uint8Array => {
  const packed = deflateSync(data)
  return Buffer.concat([
    Buffer.from(`<</Length ${packed.length}/Filter/FlateDecode${members}>>\nstream\n`),
    packed,
    Buffer.from('\nendstream'),
  ])
}
