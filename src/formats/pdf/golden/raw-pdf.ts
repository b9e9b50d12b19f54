/** An object of a file: a value as it is written, or a stream of bytes with its dictionary. */
export type RawObject = string | { dict: string; data: Uint8Array | string }

/** The bytes of a file with these objects, numbered from 1; the first is the catalog. */
export const writeRawPdf = (objects: readonly RawObject[], trailer = ''): Buffer => {
  const pieces: Buffer[] = []
  let bytes = 0
  const push = (piece: Uint8Array | string): void => {
    const buffer = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : Buffer.from(piece)
    pieces.push(buffer)
    bytes += buffer.length
  }
  push('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')
  const offsets = objects.map((object, i) => {
    const offset = bytes
    push(`${i + 1} 0 obj\n`)
    if (typeof object === 'string') push(object)
    else {
      const data = typeof object.data === 'string' ? Buffer.from(object.data, 'latin1') : object.data
      push(`<< ${object.dict} /Length ${data.length} >>\nstream\n`)
      push(data)
      push('\nendstream')
    }
    push('\nendobj\n')
    return offset
  })
  const start = bytes
  const size = objects.length + 1
  push(`xref\n0 ${size}\n0000000000 65535 f \n`)
  for (const offset of offsets) push(`${String(offset).padStart(10, '0')} 00000 n \n`)
  push(`trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`)
  return Buffer.concat(pieces)
}
