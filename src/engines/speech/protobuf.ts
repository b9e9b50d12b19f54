/** What is needed of the protocol buffer encoding to read and write ONNX files: a field is a tag and a value. */
export type Field = { number: number; raw: Uint8Array /** Of fields that have a length. */; body?: Uint8Array }

const WIRE_BYTES = 2
const WIRE_FLOAT = 5

/** Splits a message into its fields. */
export const readFields = (message: Uint8Array): Field[] => {
  const fields: Field[] = []
  let position = 0
  const readVarint = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = message[position] ?? 0
      position += 1
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  while (position < message.length) {
    const start = position
    const tag = readVarint()
    const wire = tag & 7
    const number = Math.floor(tag / 8)
    if (wire === WIRE_BYTES) {
      const length = readVarint()
      const body = message.subarray(position, position + length)
      position += length
      fields.push({ number, raw: message.subarray(start, position), body })
    } else {
      if (wire === 0) readVarint()
      else position += wire === WIRE_FLOAT ? 4 : 8
      fields.push({ number, raw: message.subarray(start, position) })
    }
  }
  return fields
}

const varint = (value: number): Uint8Array => {
  const out: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) out.push((rest % 128) + 128)
  return Uint8Array.from([...out, rest])
}

/** A message of these fields, or bytes of these parts. */
export const concat = (...parts: Uint8Array[]): Uint8Array => Buffer.concat(parts)

/** A field that holds bytes, a text or a message. */
export const field = (number: number, ...parts: (Uint8Array | string)[]): Uint8Array => {
  const body = concat(...parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf8') : part)))
  return concat(varint(number * 8 + WIRE_BYTES), varint(body.length), body)
}

/** A field that holds a whole number. */
export const integerField = (number: number, value: number): Uint8Array => concat(varint(number * 8), varint(value))

/** Numbers as they lie in memory, the least byte first. */
export const floatBytes = (values: Float32Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
