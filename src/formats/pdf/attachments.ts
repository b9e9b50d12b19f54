import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { safeFileName, splitFileName, uniquePaths } from '../../core/artifact-names.ts'
import { type Context, defineCapability } from '../../core/catalog.ts'
import type { PdfFile } from '../../engines/liteparse.ts'
import { dumpStreams, QPDF } from '../../engines/qpdf.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { passwordOption } from '../shared/password-option.ts'
import { type EmbeddedFile, listEmbeddedFiles } from './embedded-files.ts'
import { type PdfObjects, readObjects } from './objects.ts'
import { openPdf } from './repair.ts'
import { listFilters, unpack } from './stream-filters.ts'

const INDEX_PATH = 'attachments/attachments.json'
const MAX_ATTACHMENT_BYTES = 256 * 1_048_576

/** The files that a document carries. */
export const attachments = defineCapability({
  id: 'pdf.attachments',
  output: 'attachments',
  defaultSelected: false,
  detail: 'Embedded files as they are, with an index in JSON: names, descriptions, dates, sizes, checksums.',
  options: { password: passwordOption },
  tools: [QPDF],
  async *extract(source, options, context) {
    const { file } = await openPdf(source, options.password, context)
    const objects = await readObjects(file, context)
    if (objects.outcome === 'encrypted') {
      context.warn('pdf.attachments_encrypted', 'The attachments are encrypted with another password than the pages.')
      return
    }
    if (objects.outcome !== 'done') {
      context.warn('pdf.attachments_partial', 'The structure of the file could not be read to its end.')
    }
    const { files, isCut } = listEmbeddedFiles(objects)
    if (isCut) context.warn('pdf.attachments_cut', `Only the first ${files.length} attachments are taken.`)
    if (files.length === 0) return
    const index: object[] = []
    const nextPath = uniquePaths()
    nextPath(INDEX_PATH)
    for await (const { facts, data } of readFiles(file, objects, files, context)) {
      const path = nextPath(`attachments/${safeFileName(facts.name)}`)
      const mediaType = mediaTypeOf(facts)
      index.push(describe(facts, path, mediaType, data))
      if (data) yield { path, mediaType, data, ...(facts.page ? { provenance: { page: facts.page } } : {}) }
    }
    yield { path: INDEX_PATH, mediaType: 'application/json', data: writeJsonFile(index) }
  },
})

/** The content of each file; undefined for one that cannot be had. */
async function* readFiles(
  file: PdfFile,
  objects: PdfObjects,
  files: readonly EmbeddedFile[],
  context: Context,
): AsyncGenerator<{ facts: EmbeddedFile; data: Buffer | undefined }> {
  const folder = await mkdtemp(join(context.scratch, 'attachments-'))
  const numbers = files.map(({ stream }) => Number.parseInt(stream, 10))
  await dumpStreams(file, numbers, folder, context)
  for (const [i, facts] of files.entries()) {
    context.progress(i / files.length)
    context.signal.throwIfAborted()
    const raw = await readFile(join(folder, `data-${numbers[i]}`)).catch(() => undefined)
    const data = raw && unpackFile(objects, facts, raw)
    if (!data) context.warn('pdf.attachment_unreadable', `${facts.name} is damaged or too large.`)
    yield { facts, data }
  }
  await rm(folder, { recursive: true })
}

const unpackFile = (objects: PdfObjects, { stream }: EmbeddedFile, raw: Buffer): Buffer | undefined => {
  // Decrypting was done before.
  const filters = listFilters(objects, objects.dict(stream)).filter(({ name }) => name !== 'Crypt')
  try {
    const { data, left } = unpack(raw, filters, MAX_ATTACHMENT_BYTES)
    return left.length === 0 ? data : undefined
  } catch {
    return undefined
  }
}

const describe = (
  { stream: _stream, mediaType: _stated, checksum, bytes: statedBytes, ...facts }: EmbeddedFile,
  path: string,
  mediaType: string,
  data: Buffer | undefined,
): object => {
  if (!data) return { ...facts, mediaType, ...(statedBytes === undefined ? {} : { statedBytes }), unreadable: true }
  const md5 = createHash('md5').update(data).digest('hex')
  return {
    path,
    ...facts,
    mediaType,
    bytes: data.length,
    sha256: createHash('sha256').update(data).digest('hex'),
    ...(checksum ? { matchesStatedChecksum: md5 === checksum } : {}),
  }
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  eml: 'message/rfc822',
  gif: 'image/gif',
  gz: 'application/gzip',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  md: 'text/markdown',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  pdf: 'application/pdf',
  png: 'image/png',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  rtf: 'application/rtf',
  svg: 'image/svg+xml',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  txt: 'text/plain',
  wav: 'audio/wav',
  webp: 'image/webp',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  zip: 'application/zip',
}

const mediaTypeOf = ({ name, mediaType }: EmbeddedFile): string =>
  MEDIA_TYPES[splitFileName(name).extension] ?? mediaType ?? 'application/octet-stream'
