import { JobFailure } from '../../../core/errors.ts'
import { damaged } from './palm-database.ts'

/** Entries of the extended header by their number. */
export type ExtendedHeader = ReadonlyMap<number, readonly Buffer[]>

/** What the first record of a book says. Record numbers count from the beginning of the file. */
export type MobiHeader = {
  /** Where this book begins in the file: a file may hold two, one for old devices and one for new ones. */
  base: number
  compression: number
  textRecords: number
  textBytes: number
  encoding: string
  version: number
  title: string
  firstImage: number
  huffRecord: number
  huffCount: number
  /** Which trailing entries each record of text has. */
  extraFlags: number
  ncxIndex: number
  flowTable: number
  fragmentIndex: number
  skeletonIndex: number
  extended: ExtendedHeader
}

const NONE = 0xffffffff
const MAX_EXTENDED = 5_000

/** Reads the header of a book; one that is protected against copying fails. */
export const readHeader = (record: Buffer, base: number): MobiHeader => {
  if (record.length < 16) throw damaged('header')
  const encryption = record.readUInt16BE(12)
  const hasMobi = record.toString('latin1', 16, 20) === 'MOBI'
  const length = hasMobi && record.length >= 24 ? record.readUInt32BE(20) : 0
  const at = (offset: number): number =>
    hasMobi && offset + 4 <= record.length && offset + 4 <= 16 + length ? record.readUInt32BE(offset) : NONE
  const version = at(36) === NONE ? 1 : at(36)
  if (encryption !== 0) {
    throw new JobFailure(
      'extract.source_encrypted',
      { drm: encryption === 2 ? 'amazon-kindle' : 'mobipocket' },
      { detail: 'The book is protected against copying (DRM) and cannot be read.' },
    )
  }
  const encoding = at(28) === 65001 ? 'utf-8' : 'windows-1252'
  return {
    base,
    compression: record.readUInt16BE(0),
    textBytes: record.readUInt32BE(4),
    textRecords: record.readUInt16BE(8),
    encoding,
    version,
    title: readTitle(record, at(84), at(88), encoding),
    firstImage: at(108),
    huffRecord: at(112),
    huffCount: at(116) === NONE ? 0 : at(116),
    extraFlags: length >= 228 && record.length >= 244 ? record.readUInt16BE(242) : 0,
    ncxIndex: at(244),
    flowTable: version >= 8 ? at(192) : NONE,
    fragmentIndex: version >= 8 ? at(248) : NONE,
    skeletonIndex: version >= 8 ? at(252) : NONE,
    extended: (at(128) & 0x40) !== 0 && at(128) !== NONE ? readExtended(record, 16 + length) : new Map(),
  }
}

/** Whether a header gives a number of a record. */
export const isGiven = (record: number): boolean => record !== NONE

const readTitle = (record: Buffer, offset: number, length: number, encoding: string): string => {
  if (offset === NONE || length === NONE || offset + length > record.length || length > 10_000) return ''
  return new TextDecoder(encoding).decode(record.subarray(offset, offset + length)).trim()
}

const readExtended = (record: Buffer, start: number): Map<number, Buffer[]> => {
  const found = new Map<number, Buffer[]>()
  if (start + 12 > record.length || record.toString('latin1', start, start + 4) !== 'EXTH') return found
  const count = Math.min(record.readUInt32BE(start + 8), MAX_EXTENDED)
  let at = start + 12
  for (let index = 0; index < count && at + 8 <= record.length; index++) {
    const type = record.readUInt32BE(at)
    const length = record.readUInt32BE(at + 4)
    if (length < 8 || at + length > record.length) break
    found.set(type, [...(found.get(type) ?? []), record.subarray(at + 8, at + length)])
    at += length
  }
  return found
}

/** A number in the extended header. */
export const numberAt = (extended: ExtendedHeader, type: number): number | undefined => {
  const [value] = extended.get(type) ?? []
  const number = value && value.length >= 4 ? value.readUInt32BE(0) : undefined
  return number === NONE ? undefined : number
}
