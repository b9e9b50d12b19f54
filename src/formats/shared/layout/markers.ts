/** What begins an item of a list. */
export type Marker = {
  /** As it stands: `•`, `3.`, `(b)`. */
  text: string
  ordered: boolean
  /** Sort of numbering, which items of a list share: `1.`, `(a)`, `•`. */
  style: string
  /** Place in its numbering, where it has one. */
  value?: number
  /** Length with the space after it. */
  length: number
}

const BULLET = /^([☐☑☒•·‣⁃▪▫■□●○◦◆◇►▸▶➢➤➔→✓✔✗✘❖➣⦁\uf0b7\uf0a7\uf0d8\uf0fc\uf076\uf02d]|[-–—*»o](?=\s))\s*/
const NUMBERED = /^(\(?)(\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})([.)])(?=\s|$)\s*/

/** The marker that a line begins with, if it does. */
export const readMarker = (text: string): Marker | undefined => {
  const bullet = BULLET.exec(text)
  if (bullet) {
    const mark = bullet[1] as string
    return { text: mark, ordered: false, style: mark, length: bullet[0].length }
  }
  const numbered = NUMBERED.exec(text)
  if (!numbered) return undefined
  const [all, open = '', digits = '', close = ''] = numbered
  if (open && close !== ')') return undefined
  const kind = /\d/.test(digits)
    ? '1'
    : digits.length > 1
      ? /[a-z]/.test(digits)
        ? 'i'
        : 'I'
      : /[a-z]/.test(digits)
        ? 'a'
        : 'A'
  return {
    text: all.trim(),
    ordered: true,
    style: `${open}${kind}${close}`,
    value: kind === '1' ? Number(digits) : kind.toLowerCase() === 'i' ? romanValue(digits) : letterValue(digits),
    length: all.length,
  }
}

/** Whether text is nothing but the marker of an item whose text stands apart from it. */
export const isLoneMarker = (text: string): boolean => {
  const trimmed = text.trim()
  if (trimmed.length > 6) return false
  const marker = readMarker(`${trimmed} `)
  return marker !== undefined && marker.text.length === trimmed.length
}

const letterValue = (letter: string): number => letter.toLowerCase().charCodeAt(0) - 96

const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 }

/** The number that a Roman numeral of small value stands for. */
export const romanValue = (numeral: string): number => {
  const digits = [...numeral.toLowerCase()].map((letter) => ROMAN[letter] ?? 0)
  return digits.reduce((sum, digit, index) => sum + (digit < (digits[index + 1] ?? 0) ? -digit : digit), 0)
}
