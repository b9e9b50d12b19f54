import { randomUUID } from 'node:crypto'

/** A UUIDv7 as 32 hex digits: sorts by time of making, and needs no coordination. */
export const newId = (nowMs = Date.now()): string => {
  // Node draws the randomness of its UUIDs in bulk, which random bytes one by one are not.
  const random = randomUUID()
  return `${nowMs.toString(16).padStart(12, '0')}7${random.slice(15, 18)}${random.slice(19, 23)}${random.slice(24)}`
}

const ID = /^[0-9a-f]{32}$/
/** Reads an id as a client may write it (hex, or with the dashes of a UUID); undefined when it is neither. */
export const parseId = (text: string): string | undefined => {
  const hex = text.toLowerCase().replaceAll('-', '')
  return ID.test(hex) ? hex : undefined
}

/** The same id with the dashes of RFC 9562, as accounts and users show it. */
export const toUuid = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
