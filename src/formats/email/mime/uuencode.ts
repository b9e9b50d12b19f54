/** The bytes of one line of uuencoded data. */
export const decodeUuLine = (raw: string): Buffer => {
  const line = raw.replace(/\r$/, '')
  const length = ((line.charCodeAt(0) || 32) - 32) & 63
  const bytes = Buffer.alloc(Math.ceil(length / 3) * 3)
  for (let group = 0; group * 3 < length; group++) {
    const sixes = [0, 1, 2, 3].map((i) => ((line.charCodeAt(1 + group * 4 + i) || 32) - 32) & 63) as [
      number,
      number,
      number,
      number,
    ]
    bytes.writeUIntBE((sixes[0] << 18) | (sixes[1] << 12) | (sixes[2] << 6) | sixes[3], group * 3, 3)
  }
  return bytes.subarray(0, length)
}

export type UuFile = { name: string; lines: readonly string[] }

const MAX_FILES = 1_000

/** Parts the files that stand uuencoded in a plain text from the text around them. */
export const splitUuencoded = (text: string): { text: string; files: UuFile[] } => {
  if (!/^begin [0-7]{3,4} \S/m.test(text)) return { text, files: [] }
  const files: UuFile[] = []
  const kept: string[] = []
  const lines = text.split('\n')
  for (let i = 0; i < lines.length; i++) {
    const name = /^begin [0-7]{3,4} (\S[^\r\n]{0,254})/.exec(lines[i] as string)?.[1]
    const end = name && files.length < MAX_FILES ? findEnd(lines, i + 1) : -1
    if (!name || end < 0) {
      kept.push(lines[i] as string)
      continue
    }
    files.push({ name: name.trim(), lines: lines.slice(i + 1, end) })
    i = end
  }
  return { text: kept.join('\n'), files }
}

/** The place of the `end` line, where everything before it is uuencoded; -1 otherwise. */
const findEnd = (lines: readonly string[], from: number): number => {
  for (let i = from; i < lines.length; i++) {
    const line = (lines[i] as string).trimEnd()
    if (line === 'end') return i > from ? i : -1
    const length = ((line.charCodeAt(0) || 32) - 32) & 63
    // Trailing blanks may have been lost, and some programs add a check character.
    if (!/^[ -`]*$/.test(line) || line.length > Math.ceil(length / 3) * 4 + 3) return -1
  }
  return -1
}
