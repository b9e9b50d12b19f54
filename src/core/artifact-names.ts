const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i
const MAX_SEGMENT_BYTES = 180

/** One name that is safe in every ZIP reader and on every file system; readable names stay as they are. */
const safeSegment = (segment: string): string => {
  const cleaned = segment
    .normalize('NFC')
    // Control and format characters, lone surrogates, and what Windows forbids.
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}<>:"|?*\\]/gu, '_')
    .replace(/^[\s.]+|[\s.]+$/gu, '')
  const named = cleaned === '' ? 'file' : RESERVED.test(cleaned.split('.')[0] ?? '') ? `_${cleaned}` : cleaned
  return shorten(named)
}

const shorten = (name: string): string => {
  if (Buffer.byteLength(name) <= MAX_SEGMENT_BYTES) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && name.length - dot <= 12 ? name.slice(dot) : ''
  // A character has at least one byte, so no more of them can stay; names of archives may be very long.
  const stem = [...name.slice(0, Math.min(name.length - extension.length, MAX_SEGMENT_BYTES))]
  while (Buffer.byteLength(stem.join('') + extension) > MAX_SEGMENT_BYTES) stem.pop()
  return stem.join('') + extension
}

/** A relative path without `..`, empty, hidden or reserved parts. */
export const safePath = (path: string): string => {
  const segments = path.split(/[/\\]/).filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
  return segments.length === 0 ? 'file' : segments.map(safeSegment).join('/')
}

/** Hands out each path once, ignoring case: the second `a.txt` becomes `a-2.txt`. */
export const uniquePaths = (): ((path: string) => string) => {
  const taken = new Set<string>()
  const counters = new Map<string, number>()
  return (path) => {
    const safe = safePath(path)
    const fold = (text: string) => text.toLowerCase()
    let candidate = safe
    while (taken.has(fold(candidate))) {
      const count = (counters.get(fold(safe)) ?? 1) + 1
      counters.set(fold(safe), count)
      const slash = safe.lastIndexOf('/')
      const dot = safe.lastIndexOf('.')
      candidate = dot > slash + 1 ? `${safe.slice(0, dot)}-${count}${safe.slice(dot)}` : `${safe}-${count}`
    }
    taken.add(fold(candidate))
    return candidate
  }
}

/** The file's name as a client gave it: no folders, no control characters, never empty. */
export const safeFileName = (name: string): string => {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  // The two joiners are format characters too, but names in Persian and of families are spelt with them.
  const cleaned = last
    .normalize('NFC')
    .replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, '_')
    .trim()
  return cleaned === '' ? 'file' : shorten(cleaned)
}

/** `talk.final.MP4` → stem `talk.final`, extension `mp4`; a name that only starts with a dot has no extension. */
export const splitFileName = (name: string): { stem: string; extension: string } => {
  const dot = name.lastIndexOf('.')
  return dot <= 0
    ? { stem: name, extension: '' }
    : { stem: name.slice(0, dot), extension: name.slice(dot + 1).toLowerCase() }
}
