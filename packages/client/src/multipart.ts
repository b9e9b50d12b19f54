import { randomUUID } from 'node:crypto'
import type { SourceFile } from './source.ts'

/** A form with one file, of known length, that is never whole in memory. */
export type Form = { contentType: string; contentLength: number; write(): AsyncGenerator<Uint8Array> }

/** The name as a parameter of a part, its quotes escaped as curl does it. */
const nameParameter = (name: string): string => `filename="${name.replace(/[\r\n]/g, '_').replace(/["\\]/g, '\\$&')}"`

/** Lays out the form; the options come first, so that wrong ones are refused before the file is sent. */
export const layOutForm = (file: SourceFile, options: unknown): Form => {
  const boundary = `quarry-${randomUUID()}`
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
  const part = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`
  const head = encode(
    `${part('name="options"')}\r\n${JSON.stringify(options)}\r\n` +
      `${part(`name="file"; ${nameParameter(file.name)}`)}Content-Type: application/octet-stream\r\n\r\n`,
  )
  const tail = encode(`\r\n--${boundary}--\r\n`)
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: head.length + file.size + tail.length,
    write: async function* () {
      yield head
      let bytes = 0
      for await (const chunk of await file.open()) {
        bytes += chunk.length
        if (bytes > file.size) break
        yield chunk
      }
      if (bytes !== file.size) throw new TypeError(`${file.name} does not have the ${file.size} bytes it was to have.`)
      yield tail
    },
  }
}
