import { isUtf8 } from 'node:buffer'
import { closeSync, openSync, readSync } from 'node:fs'
import { splitFileName } from '../../core/artifact-names.ts'
import type { Capability, Catalog, Format, OptionValue } from '../../core/catalog.ts'
import { detectSignature } from '../../core/signatures.ts'
import { looksBinary } from '../shared/encoding-guess.ts'
import { incompleteTailBytes } from '../shared/encoding-signs.ts'

/** How a member can be turned into text. */
export type TextWay = {
  format: Format
  extension: string
  capability: Capability
  values: Readonly<Record<string, OptionValue>>
}

/** The way of a file by its name; undefined where its family gives no text, or none that is free. */
export const findWay = (catalog: Catalog, name: string, form: 'text' | 'markdown'): TextWay | undefined => {
  const { extension } = splitFileName(name.split('/').at(-1) ?? '')
  const format = catalog.byExtension.get(extension)
  return format && wayOf(format, extension, form)
}

/** Whether a name says nothing about what the file is. */
export const isUnknownName = (catalog: Catalog, name: string): boolean =>
  !catalog.byExtension.has(splitFileName(name.split('/').at(-1) ?? '').extension)

const HEAD_BYTES = 65_536

/** The way of a file by its first bytes: `README` and `LICENSE` are text too. */
export const findWayByContent = (catalog: Catalog, path: string, form: 'text' | 'markdown'): TextWay | undefined => {
  const head = readHead(path)
  const signature = detectSignature(head)
  const extension = signature === undefined ? (isText(head) ? 'txt' : undefined) : signature
  const format = extension === undefined ? undefined : catalog.byExtension.get(extension)
  return format && extension !== undefined && format.name !== 'archive' ? wayOf(format, extension, form) : undefined
}

/** The kind that a file's first bytes show where that is none its family takes, as for an upload. */
export const findMismatch = ({ format }: TextWay, path: string): string | undefined => {
  const signature = detectSignature(readHead(path))
  return signature !== undefined && !format.accepts.includes(signature) ? signature : undefined
}

const wayOf = (format: Format, extension: string, form: 'text' | 'markdown'): TextWay | undefined => {
  const wanted = form === 'markdown' ? ['markdown', 'text'] : ['text', 'markdown']
  const capability = wanted
    .map((what) => format.capabilities.find(({ id }) => id === `${format.name}.${what}`))
    .find((candidate) => candidate !== undefined)
  if (!capability) return undefined
  const values = Object.fromEntries(
    Object.entries(capability.options).map(([id, option]) => {
      const isOcr = id === 'ocr' && option.type === 'enum' && option.allowedValues.includes('never')
      return [id, isOcr ? 'never' : option.defaultValue]
    }),
  )
  // What costs extra on its own is not done for nothing inside an archive.
  const costsExtra = capability.addOns?.some(({ when }) => !when || values[when.option] === when.value)
  return costsExtra ? undefined : { format, extension, capability, values }
}

const readHead = (path: string): Buffer => {
  const head = Buffer.alloc(HEAD_BYTES)
  const descriptor = openSync(path, 'r')
  try {
    return head.subarray(0, readSync(descriptor, head, 0, HEAD_BYTES, 0))
  } finally {
    closeSync(descriptor)
  }
}

const isText = (head: Buffer): boolean => {
  if (head.length === 0) return false
  const whole = head.subarray(0, head.length - incompleteTailBytes(head))
  return !head.includes(0) && !looksBinary(head, isUtf8(whole))
}
