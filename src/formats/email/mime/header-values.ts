import type { RawHeader } from './header-block.ts'

/** A media type with its parameters; names in lower case, values one character per byte. */
export type ContentType = { type: string; params: Record<string, string> }

/** The first header of a name, one character per byte; empty where there is none. */
export const headerValue = (headers: readonly RawHeader[], name: string): string =>
  headers.find((header) => header.name.toLowerCase() === name)?.raw ?? ''

const MAX_PARAMETERS = 200

/** A `Content-Type`, or what stands for it where it says nothing that can be understood. */
export const readContentType = (raw: string, missing: string): ContentType => {
  const [, type] = /^\s*([\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127})/.exec(raw) ?? []
  const semicolon = raw.indexOf(';')
  return {
    type: (type ?? (/^\s*text\s*(?:;|$)/i.test(raw) ? 'text/plain' : missing)).toLowerCase(),
    params: semicolon < 0 ? {} : readParameters(raw.slice(semicolon)),
  }
}

/** A `Content-Disposition`. */
export const readDisposition = (raw: string): { kind: string; params: Record<string, string> } => {
  const semicolon = raw.indexOf(';')
  const kind = (semicolon < 0 ? raw : raw.slice(0, semicolon)).trim().toLowerCase()
  return { kind, params: semicolon < 0 ? {} : readParameters(raw.slice(semicolon)) }
}

const PARAMETER = /[;\s]*([^\s=;"]{1,200})\s*=\s*(?:"((?:[^"\\]|\\[\s\S])*)"?|([^;]*))/y

/**
 * Parameters by name. Values in several pieces (`name*0`, `name*1*`) are joined; one with a character set keeps it in
 * front as `charset'language'value` under the name with a star.
 */
export const readParameters = (raw: string): Record<string, string> => {
  const found = new Map<string, string>()
  PARAMETER.lastIndex = 0
  for (let match = PARAMETER.exec(raw); match && found.size < MAX_PARAMETERS; match = PARAMETER.exec(raw)) {
    const name = (match[1] as string).toLowerCase()
    const value = match[2] === undefined ? stripComment(match[3] ?? '') : match[2].replace(/\\([\s\S])/g, '$1')
    if (!found.has(name)) found.set(name, value)
  }
  return joinPieces(found)
}

const stripComment = (value: string): string => value.replace(/\s+\([^)]*\)\s*$/, '').trim()

const joinPieces = (found: ReadonlyMap<string, string>): Record<string, string> => {
  const joined: Record<string, string> = Object.create(null)
  const pieces = new Map<string, { index: number; value: string; isEncoded: boolean }[]>()
  for (const [name, value] of found) {
    const [, base, index, star] = /^(.+?)\*(\d{1,4})(\*?)$/.exec(name) ?? []
    if (base === undefined) joined[name] = value
    else pieces.set(base, [...(pieces.get(base) ?? []), { index: Number(index), value, isEncoded: star === '*' }])
  }
  for (const [base, list] of pieces) {
    const ordered = list.toSorted((a, b) => a.index - b.index)
    const isEncoded = ordered.some((piece) => piece.isEncoded)
    // What was not percent-encoded must not be decoded when the whole is.
    const value = ordered
      .map((piece) => (isEncoded && !piece.isEncoded ? piece.value.replaceAll('%', '%25') : piece.value))
      .join('')
    const name = isEncoded ? `${base}*` : base
    joined[name] ??= value
  }
  return joined
}
