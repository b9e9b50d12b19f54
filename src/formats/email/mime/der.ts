type Value = { tag: number; start: number; end: number; next: number }

const MAX_DEPTH = 24
const SEQUENCE = 0x30
const OBJECT_ID = 0x06
const CONTEXT_0 = 0xa0
const OCTETS = 0x04

const SIGNED = '2a864886f70d010702'
const ENVELOPED = ['2a864886f70d010703', '2a864886f70d0109100117']

/** What a PKCS #7 envelope is: signed content that can be taken out, or something that cannot be read. */
export type Envelope = { kind: 'signed'; content: Buffer } | { kind: 'encrypted' } | { kind: 'unknown' }

/** Opens the envelope of an S/MIME message. Signatures are not checked. */
export const openEnvelope = (der: Buffer): Envelope => {
  const outer = readValue(der, 0, der.length, 0)
  if (outer?.tag !== SEQUENCE) return { kind: 'unknown' }
  const [type, wrapped] = listValues(der, outer)
  const id = type?.tag === OBJECT_ID ? der.toString('hex', type.start, type.end) : ''
  if (ENVELOPED.includes(id)) return { kind: 'encrypted' }
  if (id !== SIGNED || wrapped?.tag !== CONTEXT_0) return { kind: 'unknown' }
  const [signedData] = listValues(der, wrapped)
  const encapsulated = signedData && listValues(der, signedData).find(({ tag }) => tag === SEQUENCE)
  const content = encapsulated && listValues(der, encapsulated).find(({ tag }) => tag === CONTEXT_0)
  if (!content) return { kind: 'unknown' }
  const pieces: Buffer[] = []
  collectOctets(der, content, pieces, 0)
  return { kind: 'signed', content: Buffer.concat(pieces) }
}

const collectOctets = (der: Buffer, value: Value, pieces: Buffer[], depth: number): void => {
  if (depth > MAX_DEPTH) return
  for (const inner of listValues(der, value)) {
    if (inner.tag === OCTETS) pieces.push(der.subarray(inner.start, inner.end))
    else if ((inner.tag & 0x20) !== 0) collectOctets(der, inner, pieces, depth + 1)
  }
}

const listValues = (der: Buffer, { start, end }: Value): Value[] => {
  const values: Value[] = []
  for (let at = start; at < end; ) {
    const value = readValue(der, at, end, 0)
    if (!value || (value.tag === 0 && value.start === value.end)) break
    values.push(value)
    at = value.next
  }
  return values
}

const readValue = (der: Buffer, at: number, limit: number, depth: number): Value | undefined => {
  if (at + 2 > limit || depth > MAX_DEPTH) return undefined
  const tag = der[at] as number
  const first = der[at + 1] as number
  if (first < 0x80) return close(tag, at + 2, at + 2 + first, limit)
  const count = first & 0x7f
  if (count === 0) return readIndefinite(der, tag, at + 2, limit, depth)
  if (count > 4 || at + 2 + count > limit) return undefined
  const length = der.readUIntBE(at + 2, count)
  return close(tag, at + 2 + count, at + 2 + count + length, limit)
}

/** A message that was cut off still has what came before the cut. */
const close = (tag: number, start: number, wantedEnd: number, limit: number): Value => {
  const end = Math.min(wantedEnd, limit)
  return { tag, start, end, next: end }
}

const readIndefinite = (der: Buffer, tag: number, start: number, limit: number, depth: number): Value => {
  let at = start
  while (at + 2 <= limit && !(der[at] === 0 && der[at + 1] === 0)) {
    const inner = readValue(der, at, limit, depth + 1)
    if (!inner || inner.next <= at) return { tag, start, end: limit, next: limit }
    at = inner.next
  }
  const end = Math.min(at, limit)
  return { tag, start, end, next: Math.min(limit, end + 2) }
}
