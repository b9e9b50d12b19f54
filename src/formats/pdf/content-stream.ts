import type { PdfDict, PdfValue } from './objects.ts'
import { IDENTITY, type Matrix, multiply } from './page-space.ts'

/** Something that content draws with a transformation: a named object of its resources, or an image in its midst. */
export type Drawn = { matrix: Matrix } & ({ name: string } | { inline: InlineImage })
export type InlineImage = { dict: PdfDict; data: Buffer }

const MAX_STATES = 1_000
const MAX_OPERANDS = 64
const MAX_INLINE_DEPTH = 8

const WHITE = 1
const DELIMITER = 2
const KINDS = new Uint8Array(256)
for (const code of [0, 9, 10, 12, 13, 32]) KINDS[code] = WHITE
for (const character of '()<>[]{}/%') KINDS[character.charCodeAt(0)] = DELIMITER

/** Reads content up to `maxDrawn` things that it draws. Text and lines are passed over; so is whatever makes no sense. */
export const readDrawn = (content: Buffer, maxDrawn: number): Drawn[] => {
  const drawn: Drawn[] = []
  const states: Matrix[] = []
  let matrix = IDENTITY
  let operands: PdfValue[] = []
  const reader = createReader(content)
  while (drawn.length < maxDrawn) {
    const token = reader.next()
    if (token === undefined) break
    if (token.kind === 'value') {
      if (operands.length < MAX_OPERANDS) operands.push(token.value)
      continue
    }
    switch (token.operator) {
      case 'q':
        if (states.length < MAX_STATES) states.push(matrix)
        break
      case 'Q':
        matrix = states.pop() ?? matrix
        break
      case 'cm':
        if (operands.length >= 6 && operands.slice(-6).every((operand) => typeof operand === 'number')) {
          matrix = multiply(operands.slice(-6) as unknown as Matrix, matrix)
        }
        break
      case 'Do': {
        const name = operands.at(-1)
        if (typeof name === 'string' && name.startsWith('/')) drawn.push({ matrix, name })
        break
      }
      case 'BI': {
        const inline = reader.readInlineImage()
        if (inline) drawn.push({ matrix, inline })
        break
      }
    }
    operands = []
  }
  return drawn
}

type Token = { kind: 'value'; value: PdfValue } | { kind: 'operator'; operator: string }

const createReader = (bytes: Buffer) => {
  let at = 0
  const skipWhite = (): void => {
    while (at < bytes.length) {
      const code = bytes[at] ?? 0
      if (KINDS[code] === WHITE) at++
      else if (code === 0x25) {
        while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at++
      } else return
    }
  }
  const readWord = (): string => {
    const start = at
    while (at < bytes.length && KINDS[bytes[at] ?? 0] === 0) at++
    return bytes.toString('latin1', start, at)
  }
  const skipString = (): void => {
    let depth = 0
    for (; at < bytes.length; at++) {
      const code = bytes[at]
      if (code === 0x5c) at++
      else if (code === 0x28) depth++
      else if (code === 0x29 && --depth === 0) {
        at++
        return
      }
    }
  }
  const readList = (end: number, depth: number): PdfValue[] => {
    const members: PdfValue[] = []
    for (;;) {
      skipWhite()
      if (at >= bytes.length) return members
      if (bytes[at] === end) {
        at += end === 0x3e && bytes[at + 1] === 0x3e ? 2 : 1
        return members
      }
      const token = next(depth + 1)
      if (token === undefined) return members
      if (token.kind === 'value' && members.length < 4_096) members.push(token.value)
    }
  }
  const value = (found: PdfValue): Token => ({ kind: 'value', value: found })
  const next = (depth = 0): Token | undefined => {
    skipWhite()
    const code = bytes[at]
    if (code === undefined) return undefined
    if (KINDS[code] === 0) return toToken(readWord())
    if (code === 0x2f) {
      at++
      return value(
        `/${readWord().replace(/#([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))}`,
      )
    }
    if (code === 0x28) {
      const start = at
      skipString()
      return value(depth > 0 ? `b:${undoEscapes(bytes.subarray(start + 1, at - 1)).toString('hex')}` : null)
    }
    if (depth > MAX_INLINE_DEPTH) {
      at++
      return value(null)
    }
    if (code === 0x5b) {
      at++
      return value(readList(0x5d, depth))
    }
    if (code === 0x3c && bytes[at + 1] === 0x3c) {
      at += 2
      return value(toDict(readList(0x3e, depth)))
    }
    if (code === 0x3c) {
      const end = bytes.indexOf(0x3e, at)
      const digits = bytes.toString('latin1', at + 1, end < 0 ? bytes.length : end).replace(/[^\da-f]/gi, '')
      at = end < 0 ? bytes.length : end + 1
      return value(`b:${digits.length % 2 === 0 ? digits : `${digits}0`}`)
    }
    at++
    return value(null)
  }
  const readInlineImage = (): InlineImage | undefined => {
    const members: PdfValue[] = []
    for (;;) {
      const token = next(1)
      if (token === undefined) return undefined
      if (token.kind === 'value') members.push(token.value)
      else if (token.operator === 'ID') break
      else return undefined
    }
    const start = at + 1
    const dict = expandKeys(toDict(members))
    const end = findInlineEnd(bytes, start, plainBytes(dict))
    if (end === undefined) {
      at = bytes.length
      return undefined
    }
    at = end.after
    return { dict, data: Buffer.from(bytes.subarray(start, end.data)) }
  }
  return { next: () => next(), readInlineImage }
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)/

const toToken = (word: string): Token => {
  const first = word.charCodeAt(0)
  if ((first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d || first === 0x2e) {
    const [digits] = NUMBER.exec(word) ?? ['0']
    return { kind: 'value', value: Number(digits) }
  }
  if (word === 'true' || word === 'false') return { kind: 'value', value: word === 'true' }
  return word === 'null' ? { kind: 'value', value: null } : { kind: 'operator', operator: word }
}

const toDict = (members: readonly PdfValue[]): PdfDict => {
  const dict: Record<string, PdfValue> = {}
  for (let i = 0; i + 1 < members.length; i += 2) dict[String(members[i])] = members[i + 1] ?? null
  return dict
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
const undoEscapes = (raw: Buffer): Buffer =>
  Buffer.from(
    raw
      .toString('latin1')
      .replace(/\\(?:([0-7]{1,3})|(\r\n|[\s\S]))/g, (_, octal?: string, other = '') =>
        octal
          ? String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
          : /[\r\n]/.test(other)
            ? ''
            : (ESCAPES[other] ?? other),
      ),
    'latin1',
  )

/** Where the data of an inline image end: after the bytes that it must have, else at an `EI` that looks like an end. */
const findInlineEnd = (
  bytes: Buffer,
  start: number,
  plain: number | undefined,
): { data: number; after: number } | undefined => {
  if (plain !== undefined) {
    const found = bytes.indexOf('EI', start + plain)
    if (found >= 0 && found - start - plain <= 4) return { data: start + plain, after: found + 2 }
  }
  for (let i = bytes.indexOf('EI', start); i >= 0; i = bytes.indexOf('EI', i + 1)) {
    const after = bytes[i + 2]
    const isApart = KINDS[bytes[i - 1] ?? 0] === WHITE && (after === undefined || KINDS[after] === WHITE)
    // The data may hold the same letters by chance; then what follows is hardly readable.
    if (
      isApart &&
      bytes.subarray(i + 2, i + 12).every((code) => code < 0x80 && (code >= 0x20 || KINDS[code] === WHITE))
    ) {
      return { data: i - 1, after: i + 2 }
    }
  }
  return undefined
}

const COMPONENTS: Readonly<Record<string, number>> = {
  '/DeviceGray': 1,
  '/DeviceRGB': 3,
  '/DeviceCMYK': 4,
  '/Indexed': 1,
}

/** How many bytes an image without compression has; undefined where that cannot be told. */
const plainBytes = (dict: PdfDict): number | undefined => {
  const { '/Width': width, '/Height': height, '/BitsPerComponent': bits, '/ColorSpace': space } = dict
  if (dict['/Filter'] !== undefined || typeof width !== 'number' || typeof height !== 'number') return undefined
  const isStencil = dict['/ImageMask'] === true
  const components = isStencil ? 1 : COMPONENTS[String(Array.isArray(space) ? space[0] : space)]
  const depth = isStencil ? 1 : typeof bits === 'number' ? bits : 8
  return components === undefined ? undefined : Math.ceil((width * components * depth) / 8) * height
}

const KEYS: Readonly<Record<string, string>> = {
  '/BPC': '/BitsPerComponent',
  '/CS': '/ColorSpace',
  '/D': '/Decode',
  '/DP': '/DecodeParms',
  '/F': '/Filter',
  '/H': '/Height',
  '/IM': '/ImageMask',
  '/W': '/Width',
}
const COLOR_SPACES: Readonly<Record<string, string>> = {
  '/G': '/DeviceGray',
  '/RGB': '/DeviceRGB',
  '/CMYK': '/DeviceCMYK',
  '/I': '/Indexed',
}

/** Inline images are written with short names. */
const expandKeys = (dict: PdfDict): PdfDict => {
  const long = Object.fromEntries(Object.entries(dict).map(([key, value]) => [KEYS[key] ?? key, value]))
  const expand = (value: PdfValue | undefined): PdfValue =>
    Array.isArray(value)
      ? value.map(expand)
      : typeof value === 'string'
        ? (COLOR_SPACES[value] ?? value)
        : (value ?? null)
  return { ...long, ...(long['/ColorSpace'] === undefined ? {} : { '/ColorSpace': expand(long['/ColorSpace']) }) }
}
