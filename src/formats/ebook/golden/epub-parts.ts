import { ZipFile } from 'yazl'

/** Files of a book by their names. */
export type BookParts = Readonly<Record<string, string | Buffer>>

const MADE_AT = new Date('2026-01-01T00:00:00Z')

/** An EPUB of these files: its type comes first and uncompressed, as the standard asks. */
export const zipBook = async (parts: BookParts): Promise<Buffer> => {
  const zip = new ZipFile()
  const all = { mimetype: 'application/epub+zip', ...parts }
  for (const [name, content] of Object.entries(all)) {
    const options = { mtime: MADE_AT, forceDosTimestamp: true, compress: name !== 'mimetype' }
    zip.addBuffer(Buffer.from(content as string), name, options)
  }
  zip.end()
  const pieces: Buffer[] = []
  for await (const piece of zip.outputStream as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces)
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

export const container = (opf: string): string =>
  `${DECLARATION}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="${opf}" media-type="application/oebps-package+xml"/></rootfiles></container>`

export const page = (title: string, body: string, head = ''): string =>
  `${DECLARATION}<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en" xml:lang="en"><head><title>${title}</title>${head}</head><body>${body}</body></html>`

export const opf = (version: string, metadata: string, manifest: string, spine: string, more = ''): string =>
  `${DECLARATION}<package xmlns="http://www.idpf.org/2007/opf" version="${version}" unique-identifier="id" xml:lang="en"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf"><dc:identifier id="id">urn:isbn:9780306406157</dc:identifier>${metadata}</metadata><manifest>${manifest}</manifest><spine${spine}</spine>${more}</package>`

/** A picture of one pixel. */
export const PIXEL_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
)
