import { parse as parseToml, TomlDate, TomlError } from 'smol-toml'
import { type ErrorCode, parseAllDocuments, YAMLParseError } from 'yaml'

export type ParsedKind = 'yaml' | 'toml'
export type ParseResult =
  | { json: string }
  | { message: string; line: number; column: number; limit?: { name: string; maximum: number } }

const MAX_DEPTH = 256
const MAX_JSON_CHARACTERS = 64 * 1_048_576
/** A few kilobytes of YAML aliases can stand for terabytes. */
const MAX_GROWTH = 50
const ALWAYS_ALLOWED_CHARACTERS = 1_048_576

/** YAML or TOML as JSON text; several YAML documents become an array. */
export const convertToJson = (text: string, kind: ParsedKind): ParseResult => {
  const maxCharacters = Math.min(MAX_JSON_CHARACTERS, Math.max(ALWAYS_ALLOWED_CHARACTERS, text.length * MAX_GROWTH))
  try {
    const value =
      kind === 'toml' ? parseToml(text, { integersAsBigInt: 'asNeeded', maxDepth: MAX_DEPTH }) : readYaml(text)
    return { json: writeJson(value, maxCharacters) }
  } catch (error) {
    return describe(error)
  }
}

const readYaml = (text: string): unknown => {
  const documents = parseAllDocuments(text, { intAsBigInt: true, logLevel: 'silent', merge: true, uniqueKeys: false })
  if (!Array.isArray(documents)) return null
  const values = documents.map((document) => {
    const problem = document.errors[0]
    if (problem) throw problem
    // Aliases are shared here, not copied; what they may grow to is bounded where they are written out.
    return document.toJS({ maxAliasCount: -1, mapAsMap: true }) as unknown
  })
  return values.length === 1 ? values[0] : values
}

class OverLimit extends Error {
  readonly limit: { name: string; maximum: number }
  constructor(name: string, maximum: number) {
    super(`over the limit of ${name}`)
    this.limit = { name, maximum }
  }
}

/** Writes a value as JSON; aliases are written out, so length and depth are bounded. */
const writeJson = (root: unknown, maxCharacters: number): string => {
  const pieces: string[] = []
  let piece = ''
  let characters = 0
  const put = (text: string) => {
    characters += text.length
    if (characters > maxCharacters) throw new OverLimit('treeCharacters', maxCharacters)
    piece += text
    if (piece.length < 65_536) return
    pieces.push(piece)
    piece = ''
  }
  const write = (value: unknown, depth: number): void => {
    if (depth > MAX_DEPTH) throw new OverLimit('depth', MAX_DEPTH)
    if (typeof value === 'bigint') put(value.toString())
    else if (typeof value === 'number' && !Number.isFinite(value)) put(JSON.stringify(String(value)))
    else if (value instanceof TomlDate) put(JSON.stringify(value.toISOString()))
    else if (value instanceof Date) put(JSON.stringify(value.toISOString()))
    else if (value instanceof Uint8Array) put(JSON.stringify(Buffer.from(value).toString('base64')))
    else if (Array.isArray(value) || value instanceof Set) {
      put('[')
      let first = true
      for (const item of value) {
        if (!first) put(',')
        first = false
        write(item, depth + 1)
      }
      put(']')
    } else if (value !== null && typeof value === 'object') {
      put('{')
      const entries = value instanceof Map ? value.entries() : Object.entries(value)
      let first = true
      for (const [key, item] of entries) {
        put(
          `${first ? '' : ','}${JSON.stringify(typeof key === 'object' && key !== null ? 'complex key' : String(key))}:`,
        )
        first = false
        write(item, depth + 1)
      }
      put('}')
    } else put(JSON.stringify(value ?? null))
  }
  write(root, 0)
  return pieces.join('') + piece
}

const describe = (error: unknown): ParseResult => {
  if (error instanceof OverLimit) return { message: error.message, line: 1, column: 1, limit: error.limit }
  // Deep nesting ends the recursive parsers by their stack.
  if (error instanceof RangeError) {
    return { message: 'nested too deep', line: 1, column: 1, limit: { name: 'depth', maximum: MAX_DEPTH } }
  }
  if (error instanceof TomlError) {
    const limit = /nested/i.test(error.message) ? { limit: { name: 'depth', maximum: MAX_DEPTH } } : {}
    return { message: firstLine(error.message), line: error.line, column: error.column, ...limit }
  }
  if (error instanceof YAMLParseError) {
    const { line = 1, col: column = 1 } = error.linePos?.[0] ?? {}
    const tooDeep: ErrorCode = 'RESOURCE_EXHAUSTION'
    if (error.code === tooDeep)
      return { message: error.message, line, column, limit: { name: 'depth', maximum: MAX_DEPTH } }
    return { message: firstLine(error.message), line, column }
  }
  return {
    message: firstLine(error instanceof Error ? error.message : 'the text cannot be parsed'),
    line: 1,
    column: 1,
  }
}

const firstLine = (message: string): string =>
  (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '').slice(0, 200)
