import type { PageContent, TextRun } from '../page-content.ts'

/** A word of the page, where it stands, and how it looks. */
export type PageWord = {
  /** Index of its run in the page's runs. */
  run: number
  text: string
  x0: number
  x1: number
  y0: number
  y1: number
  /** Font size in points: the em of the word. */
  size: number
  /** How wide the spaces of its font are, measured by those of most fonts. */
  spacing: number
  bold: boolean
  italic: boolean
  monospace: boolean
  /** Which way it is written, if not from left to right. */
  turned?: 'up' | 'down'
}

/** Words of a line that no wide gap parts. */
export type Segment = { words: readonly PageWord[]; x0: number; x1: number }

/** What stands at one height of a zone, from left to right. */
export type Band = {
  words: readonly PageWord[]
  segments: readonly Segment[]
  x0: number
  x1: number
  y0: number
  y1: number
  size: number
}

/** A gap wider than this part of an em parts segments: wider than any space of justified text should be. */
export const SEGMENT_GAP_EM = 0.9

/** The upright words of the page; the runs of a page are in no order, and neither are the words. */
export const wordsOf = (page: PageContent): PageWord[] => {
  const words: PageWord[] = []
  const spacing = spacingOf(page.runs)
  page.runs.forEach((run, index) => {
    if (isTurned(run) || !(run.width > 0) || !(run.height > 0)) return
    for (const { text, x, y, width, height } of run.words ?? [run]) {
      const trimmed = text.trim()
      if (trimmed === '' || !(width >= 0) || !(height > 0)) continue
      words.push({
        run: index,
        text: trimmed,
        x0: x,
        x1: x + width,
        y0: y,
        y1: y + height,
        size: clamp(run.fontSize, height * 0.5, height * 1.2),
        spacing: spacing.get(run.font) ?? 1,
        bold: run.bold,
        italic: run.italic,
        monospace: run.monospace,
      })
    }
  })
  return words
}

/** Spaces of most fonts are about this part of an em; those of typewriters are twice as wide. */
const USUAL_SPACE_EM = 0.3
const MIN_SPACING = 1.4
const MAX_SPACING = 2.2
/** Spaces that are looked at for each font, and the fewest that tell anything. */
const MAX_SPACES = 400
const MIN_SPACES = 8

const spacingOf = (runs: readonly TextRun[]): Map<string, number> => {
  const spaces = new Map<string, number[]>()
  for (const { font, fontSize, words } of runs) {
    const own = spaces.get(font) ?? []
    if (!words || own.length >= MAX_SPACES) continue
    spaces.set(font, own)
    for (const [index, word] of words.entries()) {
      const before = words[index - 1]
      if (before) own.push((word.x - before.x - before.width) / fontSize)
    }
  }
  const known = [...spaces].filter(([, own]) => own.length >= MIN_SPACES)
  // Some gaps in runs are those between columns, so not the middle one but a narrow one tells.
  const narrow = (own: number[]): number => own.sort((a, b) => a - b)[own.length >> 2] ?? 0
  const spacings = known.map(([font, own]) => [font, clamp(narrow(own) / USUAL_SPACE_EM, 1, MAX_SPACING)] as const)
  return new Map(spacings.filter(([, spacing]) => spacing > MIN_SPACING))
}

const isTurned = ({ rotation }: TextRun): boolean => Math.abs(((rotation + 180) % 360) - 180) > 10

/** The runs that are written upwards or downwards, each as one word. */
export const turnedWordsOf = (page: PageContent): PageWord[] =>
  page.runs.flatMap((run, index) =>
    isTurned(run) && run.text.trim() !== ''
      ? [
          {
            run: index,
            text: run.text.trim(),
            x0: run.x,
            x1: run.x + run.width,
            y0: run.y,
            y1: run.y + run.height,
            size: run.fontSize,
            spacing: 1,
            bold: run.bold,
            italic: run.italic,
            monospace: run.monospace,
            turned: Math.sin((run.rotation * Math.PI) / 180) < 0 ? ('up' as const) : ('down' as const),
          },
        ]
      : [],
  )

/** Groups words that stand at the same height, from top to bottom. */
export const bandsOf = (words: readonly PageWord[]): Band[] => {
  const sorted = words.toSorted((a, b) => a.y0 + a.y1 - b.y0 - b.y1)
  const bands: Band[] = []
  let current: PageWord[] = []
  let middle = 0
  let size = 0
  for (const word of sorted) {
    const wordMiddle = (word.y0 + word.y1) / 2
    if (current.length > 0 && wordMiddle - middle > 0.45 * Math.min(size, word.size)) {
      bands.push(bandOf(current))
      current = []
    }
    // The middle follows the words slowly, so that a chain of raised words cannot pull two lines together.
    middle = current.length === 0 ? wordMiddle : middle + (wordMiddle - middle) / (current.length + 1)
    size = current.length === 0 ? word.size : Math.max(size, word.size)
    current.push(word)
  }
  if (current.length > 0) bands.push(bandOf(current))
  return bands
}

const bandOf = (words: PageWord[]): Band => {
  words.sort((a, b) => a.x0 - b.x0)
  let [x0, x1, y0, y1, size] = [Infinity, -Infinity, Infinity, -Infinity, 0]
  for (const word of words) {
    x0 = Math.min(x0, word.x0)
    x1 = Math.max(x1, word.x1)
    y0 = Math.min(y0, word.y0)
    y1 = Math.max(y1, word.y1)
    size = Math.max(size, word.size)
  }
  return { words, segments: joinWords(words, SEGMENT_GAP_EM), x0, x1, y0, y1, size }
}

/** Joins words, given from left to right, that no gap of `gapEm` parts. */
export const joinWords = (words: readonly PageWord[], gapEm: number): Segment[] => {
  const segments: Segment[] = []
  let current: PageWord[] = []
  let [x0, x1] = [0, 0]
  for (const word of words) {
    if (current.length > 0 && word.x0 - x1 > gapEm * word.size * word.spacing) {
      segments.push({ words: current, x0, x1 })
      current = []
    }
    if (current.length === 0) [x0, x1] = [word.x0, word.x1]
    current.push(word)
    x1 = Math.max(x1, word.x1)
  }
  if (current.length > 0) segments.push({ words: current, x0, x1 })
  return segments
}

/** The middle value, or 0 of none. */
export const median = (values: readonly number[]): number =>
  values.length === 0 ? 0 : (values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0)

/** The em of the words of bands: the size of most of them. */
export const emOf = (bands: readonly Band[]): number => median(bands.map(({ size }) => size)) || 10

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)
