import { createHash } from 'node:crypto'
import type { InlineImage } from '../../shared/html/read-html.ts'
import { showsText } from '../../shared/html/shows-text.ts'

/** What a cell printed or showed. */
export type Output =
  | { kind: 'text' | 'error' | 'html' | 'markdown' | 'latex' | 'json'; text: string }
  | { kind: 'image'; image: InlineImage; text: string }

/** The same thing in several media types. */
export type Bundle = Record<string, unknown>

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Text that is stored whole or line by line. */
export const joinLines = (value: unknown): string => {
  const text = Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : value
  return typeof text === 'string' ? text.replaceAll('\r\n', '\n') : ''
}

/** An output, in the form that says most. */
export const readOutput = (output: Record<string, unknown>): Output | undefined => {
  const type = output.output_type
  if (type === 'stream') return textOutput('text', joinLines(output.text))
  if (type === 'error' || type === 'pyerr') return textOutput('error', readError(output))
  return chooseForm(isRecord(output.data) ? output.data : toBundle(output))
}

const textOutput = (kind: 'text' | 'error', raw: string): Output | undefined => {
  const text = cleanTerminal(raw)
  return text.trim() === '' ? undefined : { kind, text }
}

const readError = ({ traceback, ename, evalue }: Record<string, unknown>): string => {
  const lines = Array.isArray(traceback) ? traceback.filter((line) => typeof line === 'string') : []
  return lines.length > 0 ? lines.join('\n') : [ename, evalue].filter((word) => typeof word === 'string').join(': ')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the control sequences of terminals
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-_])/g

/** What a terminal would show in the end: without colours, and with lines that were written over gone. */
const cleanTerminal = (text: string): string => {
  const plain = text.includes('\u001b') ? text.replace(ESCAPES, '') : text
  if (!plain.includes('\b') && !plain.includes('\r')) return plain
  return plain
    .split('\n')
    .map((line) => line.slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1).replaceAll('\b', ''))
    .join('\n')
}

const OLD_NAMES: Readonly<Record<string, string>> = {
  text: 'text/plain',
  html: 'text/html',
  markdown: 'text/markdown',
  latex: 'text/latex',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpeg: 'image/jpeg',
}

/** Before version 4 media types had short names, beside everything else. */
const toBundle = (output: Record<string, unknown>): Bundle =>
  Object.fromEntries(
    Object.entries(OLD_NAMES).flatMap(([name, type]) => (output[name] === undefined ? [] : [[type, output[name]]])),
  )

const chooseForm = (bundle: Bundle): Output | undefined => {
  const html = joinLines(bundle['text/html'])
  const markdown = joinLines(bundle['text/markdown'])
  const latex = joinLines(bundle['text/latex'])
  const plain = cleanTerminal(joinLines(bundle['text/plain']))
  if (markdown.trim() !== '' && !/<table\b/i.test(html)) return { kind: 'markdown', text: markdown }
  if (latex.trim() !== '' && !/<table\b/i.test(html)) return { kind: 'latex', text: latex.trim() }
  // The page of a widget is all script: what it would draw is in no file.
  if (showsText(html)) return { kind: 'html', text: html }
  const image = readImage(bundle)
  if (image) return { kind: 'image', image, text: plain }
  if (plain.trim() !== '') return { kind: 'text', text: plain }
  const json = bundle['application/json']
  return json === undefined ? undefined : writeJsonOutput(json)
}

const MAX_JSON_CHARACTERS = 1_000_000

const writeJsonOutput = (value: unknown): Output | undefined => {
  try {
    const text = JSON.stringify(value, null, 2)
    return text.length > MAX_JSON_CHARACTERS ? undefined : { kind: 'json', text }
  } catch {
    // Nested too deep to be written.
    return undefined
  }
}

const IMAGES: readonly (readonly [type: string, extension: string])[] = [
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/svg+xml', 'svg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
]

/** The image of a bundle; one id per content. */
export const readImage = (bundle: Bundle): InlineImage | undefined => {
  for (const [mediaType, extension] of IMAGES) {
    const data = joinLines(bundle[mediaType])
    if (data.trim() === '') continue
    const isText = mediaType === 'image/svg+xml' && data.includes('<')
    const bytes = isText ? Buffer.from(data) : Buffer.from(data, 'base64')
    if (bytes.length === 0) continue
    const id = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
    return { id, path: `images/${id}.${extension}`, mediaType, bytes }
  }
  return undefined
}
