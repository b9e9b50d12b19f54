import { isDict, type PdfDict, type PdfObjects, type PdfValue, toBytes } from './objects.ts'

export type Color = readonly [red: number, green: number, blue: number]

/** A picture of a file: its dictionary, its data, and how to come by the data of streams that it refers to. */
export type Picture = {
  objects: PdfObjects
  dict: PdfDict
  data: Buffer
  readStream(objectNumber: number): Promise<Buffer | undefined>
}

const MAX_OBJECTS = 500
const REFERENCE = /^(\d+) (\d+) R$/
/** How the page is drawn, not what the picture is. */
const LEFT_OUT = new Set([
  '/Length',
  '/Interpolate',
  '/Metadata',
  '/OC',
  '/StructParent',
  '/OPI',
  '/Alternates',
  '/Name',
])

/**
 * Writes a file of one page that the picture fills, so that the engine which draws pages also decodes pictures, with
 * whatever colours, masks and compression they have.
 */
export const writePicturePdf = async (
  { objects, dict, data, readStream }: Picture,
  { width, height }: { width: number; height: number },
  background: Color,
): Promise<Buffer> => {
  const numbers = new Map<string, number>()
  const queue: string[] = []
  const bodies: Buffer[] = []
  const refer = (reference: string): string => {
    const known = numbers.get(reference)
    const number = known ?? FIRST_COPIED + numbers.size
    if (known === undefined) {
      if (numbers.size >= MAX_OBJECTS) return 'null'
      numbers.set(reference, number)
      queue.push(reference)
    }
    return `${number} 0 R`
  }
  const write = (value: PdfValue | undefined): string => writeValue(value, refer)
  const stream = (body: PdfDict, content: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(`${write({ ...without(body), '/Length': content.length })}\nstream\n`, 'latin1'),
      content,
      Buffer.from('\nendstream'),
    ])
  const ink = `${background.map((part) => part / 255).join(' ')} rg`
  const content = `${ink} 0 0 ${width} ${height} re f 0 g q ${width} 0 0 ${height} 0 0 cm /P Do Q`
  bodies.push(
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources << /XObject << /P 5 0 R >> >> >>`,
    ),
    stream({}, Buffer.from(content)),
    stream({ ...dict, '/Type': '/XObject', '/Subtype': '/Image' }, data),
  )
  for (let reference = queue.shift(); reference !== undefined; reference = queue.shift()) {
    const value = objects.resolve(reference)
    const raw = objects.isStream(reference) ? await readStream(Number.parseInt(reference, 10)) : undefined
    bodies.push(raw && isDict(value) ? stream(value, raw) : Buffer.from(write(value), 'latin1'))
  }
  return assemble(bodies)
}
const FIRST_COPIED = 6

const without = (dict: PdfDict): PdfDict =>
  Object.fromEntries(Object.entries(dict).filter(([key]) => !LEFT_OUT.has(key)))

const writeValue = (value: PdfValue | undefined, refer: (reference: string) => string): string => {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number') return String(value).includes('e') ? value.toFixed(10) : String(value)
  if (typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[${value.map((member) => writeValue(member, refer)).join(' ')}]`
  if (isDict(value)) {
    const members = Object.entries(value).map(([key, member]) => `${writeName(key)} ${writeValue(member, refer)}`)
    return `<< ${members.join(' ')} >>`
  }
  const text = value as string
  if (REFERENCE.test(text)) return refer(text)
  const bytes = toBytes(text)
  return bytes ? `<${bytes.toString('hex')}>` : writeName(text)
}

const writeName = (name: string): string =>
  `/${Array.from(Buffer.from(name.replace(/^n?:?\//, '')), (code) =>
    /[\w.+-]/.test(String.fromCharCode(code)) && code < 0x80
      ? String.fromCharCode(code)
      : `#${code.toString(16).padStart(2, '0')}`,
  ).join('')}`

const assemble = (bodies: readonly Buffer[]): Buffer => {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  let bytes = 9
  const push = (piece: Buffer) => {
    pieces.push(piece)
    bytes += piece.length
  }
  const offsets = bodies.map((body, i) => {
    const offset = bytes
    push(Buffer.from(`${i + 1} 0 obj\n`))
    push(body)
    push(Buffer.from('\nendobj\n'))
    return offset
  })
  const start = bytes
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = bodies.length + 1
  push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(pieces)
}
