import { crc32, deflateRawSync } from 'node:zlib'

/** For tests: archives made by hand, good and bad. */

const pad = (bytes: Buffer, to: number): Buffer => Buffer.concat([bytes, Buffer.alloc((to - (bytes.length % to)) % to)])

export type TarPart = {
  name: string | Buffer
  content?: string | Buffer
  type?: string
  link?: string
  /** Written in place of the size: twelve bytes. */
  rawSize?: Buffer
  /** Bytes put into the header, by their place. */
  patch?: Readonly<Record<number, Buffer>>
}

/** A header block with its checksum. */
export const tarHeader = ({ name, content = '', type = '0', link = '', rawSize, patch = {} }: TarPart): Buffer => {
  const header = Buffer.alloc(512)
  Buffer.from(name).copy(header, 0, 0, 100)
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  if (rawSize) rawSize.copy(header, 124)
  else header.write(`${Buffer.byteLength(content).toString(8).padStart(11, '0')}\0`, 124)
  header.write('14520000000\0', 136)
  header.write(type, 156)
  header.write(link, 157, 100)
  header.write('ustar\x0000', 257, 'latin1')
  header.write('maker\0', 265)
  for (const [at, bytes] of Object.entries(patch)) bytes.copy(header, Number(at))
  header.fill(0x20, 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

export const makeTar = (parts: readonly TarPart[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap((part) => [tarHeader(part), pad(Buffer.from(part.content ?? ''), 512)]),
    Buffer.alloc(1_024),
  ])

/** An extended header of records for the entry that follows. */
export const paxPart = (records: Readonly<Record<string, string>>): TarPart => {
  const lines = Object.entries(records).map(([name, value]) => {
    const rest = ` ${name}=${value}\n`
    let length = Buffer.byteLength(rest)
    while (length !== Buffer.byteLength(`${length}${rest}`)) length = Buffer.byteLength(`${length}${rest}`)
    return `${length}${rest}`
  })
  return { name: 'pax', type: 'x', content: lines.join('') }
}

export type ZipPart = {
  name: string | Buffer
  content?: string | Buffer
  /** What the directory says, where that is not the truth. */
  bytes?: number
  flags?: number
  /** Of the system that packed it: 0 for Windows, 3 for Unix. */
  system?: number
  unixMode?: number
  method?: number
}

export const makeZip = (parts: readonly ZipPart[], comment: string | Buffer = ''): Buffer => {
  const local: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name: given, content = '', bytes, flags = 0, system = 3, unixMode = 0o100644, method = 8 } of parts) {
    const name = Buffer.from(given)
    const data = Buffer.from(content)
    const packed = method === 8 ? deflateRawSync(data) : data
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(flags, 2)
    facts.writeUInt16LE(method, 4)
    facts.writeUInt32LE(0x5c210000, 6)
    facts.writeUInt32LE(crc32(data), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(bytes ?? data.length, 18)
    facts.writeUInt16LE(name.length, 22)
    const record = Buffer.alloc(46)
    record.write('PK\x01\x02', 0, 'latin1')
    record.writeUInt16LE((system << 8) | 20, 4)
    facts.copy(record, 6)
    record.writeUInt32LE((unixMode << 16) >>> 0, 38)
    record.writeUInt32LE(at, 42)
    directory.push(record, name)
    const entry = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, name, packed])
    local.push(entry)
    at += entry.length
  }
  const records = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(records.length, 12)
  end.writeUInt32LE(at, 16)
  end.writeUInt16LE(Buffer.byteLength(comment), 20)
  return Buffer.concat([...local, records, end, Buffer.from(comment)])
}

/** Seven bits in each byte. */
const vint = (value: number): Buffer => {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest % 128) | 0x80)
  }
}

const rarBlock = (...body: Buffer[]): Buffer => {
  const content = Buffer.concat(body)
  const header = Buffer.concat([vint(content.length), content])
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32(header))
  return Buffer.concat([sum, header])
}

export type RarPart = { name: string; content?: string; link?: string }

/** A RAR archive of version 5 whose files are only stored. */
export const makeRar = (parts: readonly RarPart[], { isVolume = false } = {}): Buffer =>
  Buffer.concat([
    Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1'),
    rarBlock(vint(1), vint(0), vint(isVolume ? 1 : 0)),
    ...parts.flatMap(({ name, content = '', link }) => {
      const data = Buffer.from(content)
      const isFolder = name.endsWith('/')
      const path = Buffer.from(name.replace(/\/$/, ''))
      const target = Buffer.from(link ?? '')
      const redirection = Buffer.concat([vint(5), vint(1), vint(0), vint(target.length), target])
      const extra = link ? Buffer.concat([vint(redirection.length), redirection]) : Buffer.alloc(0)
      const time = Buffer.alloc(4)
      time.writeUInt32LE(1_700_000_000)
      const sum = Buffer.alloc(4)
      sum.writeUInt32LE(crc32(data))
      const head = rarBlock(
        vint(2),
        vint((link ? 1 : 0) | (data.length > 0 ? 2 : 0)),
        ...(link ? [vint(extra.length)] : []),
        ...(data.length > 0 ? [vint(data.length)] : []),
        vint(isFolder ? 3 : 6),
        vint(data.length),
        vint(isFolder ? 0o40755 : 0o100644),
        time,
        ...(isFolder ? [] : [sum]),
        ...[vint(0), vint(1), vint(path.length), path, extra],
      )
      return [head, data]
    }),
    rarBlock(vint(5), vint(0), vint(0)),
  ])

/** A cabinet whose files are only stored, in one folder. */
export const makeCab = (parts: readonly { name: string; content: string }[]): Buffer => {
  const data = Buffer.from(parts.map(({ content }) => content).join(''))
  let offset = 0
  const files = parts.map(({ name, content }) => {
    const file = Buffer.alloc(16)
    file.writeUInt32LE(Buffer.byteLength(content), 0)
    file.writeUInt32LE(offset, 4)
    file.writeUInt16LE(0x5c21, 10)
    file.writeUInt16LE(0x6000, 12)
    offset += Buffer.byteLength(content)
    return Buffer.concat([file, Buffer.from(`${name}\0`)])
  })
  const list = Buffer.concat(files)
  const header = Buffer.alloc(36 + 8)
  header.write('MSCF', 0, 'latin1')
  header.writeUInt32LE(header.length + list.length + 8 + data.length, 8)
  header.writeUInt32LE(header.length, 16)
  header.writeUInt8(3, 24)
  header.writeUInt8(1, 25)
  header.writeUInt16LE(1, 26)
  header.writeUInt16LE(parts.length, 28)
  header.writeUInt32LE(header.length + list.length, 36)
  header.writeUInt16LE(1, 40)
  const block = Buffer.alloc(8)
  block.writeUInt16LE(data.length, 4)
  block.writeUInt16LE(data.length, 6)
  return Buffer.concat([header, list, block, data])
}

const SECTOR = 2_048
const both16 = (target: Buffer, value: number, at: number): void => {
  target.writeUInt16LE(value, at)
  target.writeUInt16BE(value, at + 2)
}
const both32 = (target: Buffer, value: number, at: number): void => {
  target.writeUInt32LE(value, at)
  target.writeUInt32BE(value, at + 4)
}

const isoRecord = (name: string, sector: number, bytes: number, isFolder: boolean): Buffer => {
  const record = Buffer.alloc(33 + name.length + ((name.length + 1) % 2))
  record.writeUInt8(record.length, 0)
  both32(record, sector, 2)
  both32(record, bytes, 10)
  Buffer.from([126, 1, 1, 12, 0, 0, 0]).copy(record, 18)
  record.writeUInt8(isFolder ? 2 : 0, 25)
  both16(record, 1, 28)
  record.writeUInt8(name.length, 32)
  record.write(name, 33, 'latin1')
  return record
}

/** A disc image of the plainest kind with one file. */
export const makeIso = (name: string, content: string): Buffer => {
  const root = isoRecord('\0', 18, SECTOR, true)
  const descriptor = Buffer.alloc(SECTOR)
  descriptor.write('\x01CD001\x01', 0, 'latin1')
  both32(descriptor, 20, 80)
  both16(descriptor, 1, 120)
  both16(descriptor, 1, 124)
  both16(descriptor, SECTOR, 128)
  root.copy(descriptor, 156)
  const end = Buffer.alloc(SECTOR)
  end.write('\xffCD001\x01', 0, 'latin1')
  const folder = Buffer.concat([
    root,
    isoRecord('\x01', 18, SECTOR, true),
    isoRecord(name, 19, Buffer.byteLength(content), false),
  ])
  return Buffer.concat([
    Buffer.alloc(16 * SECTOR),
    descriptor,
    end,
    pad(folder, SECTOR),
    pad(Buffer.from(content), SECTOR),
  ])
}
