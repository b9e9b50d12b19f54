import { randomFillSync } from 'node:crypto'

/** A UUIDv7 as 32 hex digits: sorts by time of making, and needs no coordination. */
export const newId = (nowMs = Date.now()): string => {
  const bytes = randomFillSync(Buffer.allocUnsafe(16))
  bytes.writeUIntBE(nowMs, 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex')
}

const ID = /^[0-9a-f]{32}$/
/** Reads an id as a client may write it (hex, or with the dashes of a UUID); undefined when it is neither. */
export const parseId = (text: string): string | undefined => {
  const hex = text.toLowerCase().replaceAll('-', '')
  return ID.test(hex) ? hex : undefined
}

/** The same id with the dashes of RFC 9562, as accounts and users show it. */
export const toUuid = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
