import type { CompoundFile, CompoundStream } from '../../shared/ole/compound-file.ts'

const STREAM = 'PowerPoint Document'
const RECORD_HEAD_BYTES = 8
const [DOCUMENT, SLIDE_LIST, SLIDE_ATOM] = [0x03e8, 0x0ff0, 0x03f3]
const [USER_EDIT, PERSIST_DIRECTORY] = [0x0ff5, 0x1772]
const [INFO_LIST, MACROS] = [0x07d0, 0x03ff]
const CURRENT_USER_ENCRYPTED = 0xf3d1c4df
/** An edit that names a record with the key for all others. */
const ENCRYPTED_EDIT_BYTES = 32
const MAX_EDITS = 1_000
const MAX_DIRECTORY_BYTES = 4 * 1_048_576
const MAX_RECORDS = 2_000_000

type Record = { type: number; instance: number; at: number; bytes: number }

/** What the records of a presentation of 97 to 2003 tell without being converted. */
export type PresentationFacts = { slides: number; isEncrypted: boolean; hasMacros: boolean }

/** Reads the facts of a presentation; undefined where the file holds none. */
export const readPresentationFacts = (file: CompoundFile): PresentationFacts | undefined => {
  const stream = file.open(STREAM)
  if (!stream) return undefined
  const user = file.open('Current User')?.read(0, 20)
  const { isEncrypted, documentAt } = findDocument(stream, user?.length === 20 ? user.readUInt32LE(16) : undefined)
  const isMarked = user !== undefined && user.length >= 16 && user.readUInt32LE(12) === CURRENT_USER_ENCRYPTED
  if (isEncrypted || isMarked) return { slides: 0, isEncrypted: true, hasMacros: false }
  const document = documentAt === undefined ? findLastDocument(stream) : readRecord(stream, documentAt)
  const parts = document?.type === DOCUMENT ? [...listRecords(stream, document)] : []
  // Masters and notes have lists of the same type.
  const list = parts.find(({ type, instance }) => type === SLIDE_LIST && instance === 0)
  const slides = list ? [...listRecords(stream, list)].filter(({ type }) => type === SLIDE_ATOM).length : 0
  return { slides, isEncrypted: false, hasMacros: hasMacros(stream, parts) }
}

/** Follows the edits of the file from the last one back to where the document was written the last time. */
const findDocument = (
  stream: CompoundStream,
  lastEditAt: number | undefined,
): { isEncrypted: boolean; documentAt: number | undefined } => {
  let documentId: number | undefined
  let isEncrypted = false
  let editAt = lastEditAt ?? 0
  for (let edits = 0; editAt > 0 && edits < MAX_EDITS; edits++) {
    const record = readRecord(stream, editAt)
    if (record?.type !== USER_EDIT) break
    const edit = stream.read(editAt + RECORD_HEAD_BYTES, 28)
    if (edit.length < 28) break
    isEncrypted ||= record.bytes >= ENCRYPTED_EDIT_BYTES
    documentId ??= edit.readUInt32LE(16)
    const documentAt = findPersisted(stream, edit.readUInt32LE(12), documentId)
    if (documentAt !== undefined) return { isEncrypted, documentAt }
    editAt = edit.readUInt32LE(8)
  }
  return { isEncrypted, documentAt: undefined }
}

/** The place of an object by a directory: runs of consecutive ids, each with its places. */
const findPersisted = (stream: CompoundStream, at: number, id: number): number | undefined => {
  const record = readRecord(stream, at)
  if (record?.type !== PERSIST_DIRECTORY) return undefined
  const bytes = stream.read(at + RECORD_HEAD_BYTES, Math.min(record.bytes, MAX_DIRECTORY_BYTES))
  for (let from = 0; from + 4 <= bytes.length; ) {
    const run = bytes.readUInt32LE(from)
    const [first, count] = [run & 0xfffff, run >>> 20]
    const place = from + 4 + (id - first) * 4
    if (id >= first && id < first + count && place + 4 <= bytes.length) return bytes.readUInt32LE(place)
    from += 4 + count * 4
  }
  return undefined
}

/** Each save of changes alone adds a document at the end of a file. */
const findLastDocument = (stream: CompoundStream): Record | undefined => {
  let found: Record | undefined
  for (const record of listRecords(stream, { at: -RECORD_HEAD_BYTES, bytes: stream.bytes })) {
    if (record.type === DOCUMENT) found = record
  }
  return found
}

const hasMacros = (stream: CompoundStream, parts: readonly Record[]): boolean =>
  parts.some((part) => part.type === INFO_LIST && [...listRecords(stream, part)].some(({ type }) => type === MACROS))

const readRecord = (stream: CompoundStream, at: number): Record | undefined => {
  const head = stream.read(at, RECORD_HEAD_BYTES)
  if (head.length < RECORD_HEAD_BYTES) return undefined
  return { at, type: head.readUInt16LE(2), instance: head.readUInt16LE(0) >>> 4, bytes: head.readUInt32LE(4) }
}

/** The records inside another one. */
function* listRecords(stream: CompoundStream, { at, bytes }: Pick<Record, 'at' | 'bytes'>): Generator<Record> {
  const end = Math.min(stream.bytes, at + RECORD_HEAD_BYTES + bytes)
  let count = 0
  for (let next = at + RECORD_HEAD_BYTES; next < end && count < MAX_RECORDS; count++) {
    const record = readRecord(stream, next)
    if (!record) return
    yield record
    next += RECORD_HEAD_BYTES + record.bytes
  }
}
