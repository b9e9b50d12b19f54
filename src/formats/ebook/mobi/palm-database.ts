import { closeSync, fstatSync, openSync } from 'node:fs'
import { JobFailure } from '../../../core/errors.ts'
import { overLimit } from '../../shared/decode.ts'
import { readAt } from '../../shared/read-at.ts'

/** A Palm database: numbered records, one after the other. */
export type PalmDatabase = {
  kind: string
  recordCount: number
  /** Bytes of a record without reading it. */
  bytesOf(index: number): number
  /** The first bytes of a record. */
  readHead(index: number, bytes: number): Buffer
  /** Content of a record; fails where there is none of that number. */
  read(index: number): Buffer
  close(): void
}

const HEADER_BYTES = 78
const RECORD_ENTRY_BYTES = 8
/** What is larger is no record that a device could have held. */
const MAX_RECORD_BYTES = 64 * 1024 ** 2

export const damaged = (reason: string, detail = 'The book is damaged.'): JobFailure =>
  new JobFailure('extract.source_unreadable', { reason }, { detail })

/** Opens a database and checks its list of records. */
export const openPalmDatabase = (path: string): PalmDatabase => {
  const descriptor = openSync(path, 'r')
  try {
    return readList(descriptor)
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

const readList = (descriptor: number): PalmDatabase => {
  const { size } = fstatSync(descriptor)
  const header = readAt(descriptor, 0, Math.min(size, HEADER_BYTES))
  if (header.length < HEADER_BYTES) throw damaged('not-mobi', 'The file is not a Mobipocket or Kindle book.')
  const kind = header.toString('latin1', 60, 68)
  const head = header.toString('latin1', 0, 8)
  if (head.startsWith('TPZ')) throw damaged('topaz', 'The file is a Topaz book, which cannot be read.')
  if (head.includes('DRMION')) throw new JobFailure('extract.source_encrypted', { drm: 'amazon-kindle' })
  if (kind !== 'BOOKMOBI' && kind !== 'TEXtREAd') {
    throw damaged('not-mobi', 'The file is not a Mobipocket or Kindle book.')
  }
  const recordCount = header.readUInt16BE(76)
  const list = readAt(descriptor, HEADER_BYTES, recordCount * RECORD_ENTRY_BYTES)
  if (recordCount === 0 || list.length < recordCount * RECORD_ENTRY_BYTES) throw damaged('records')
  const offsets = Array.from({ length: recordCount }, (_, index) => list.readUInt32BE(index * RECORD_ENTRY_BYTES))
  offsets.push(size)
  for (const [index, offset] of offsets.entries()) {
    if (offset < (offsets[index - 1] ?? HEADER_BYTES) || offset > size) throw damaged('records')
  }
  const spanOf = (index: number): [start: number, length: number] => {
    const start = offsets[index]
    const end = offsets[index + 1]
    if (start === undefined || end === undefined) throw damaged('record-missing')
    return [start, end - start]
  }
  return {
    kind,
    recordCount,
    bytesOf: (index) => spanOf(index)[1],
    readHead(index, bytes) {
      const [start, length] = spanOf(index)
      return readAt(descriptor, start, Math.min(bytes, length))
    },
    read(index) {
      const [start, length] = spanOf(index)
      if (length > MAX_RECORD_BYTES) throw overLimit('recordBytes', MAX_RECORD_BYTES)
      return readAt(descriptor, start, length)
    },
    close: () => closeSync(descriptor),
  }
}
