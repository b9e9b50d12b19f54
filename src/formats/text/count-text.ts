/** What counting a text gives. */
export type TextCounts = {
  lines: number
  blankLines: number
  longestLineCharacters: number
  words: number
  characters: number
  newlines: { lf: number; crlf: number; cr: number }
}

const OTHER = 0
const WORD = 1
/** Scripts written without spaces: every character is counted as a word. */
const IDEOGRAPH = 2
/** Joins the letters on its two sides: don't, l’eau. */
const JOINER = 3
const SPACE = 4
const MARK = 5
const NEWLINE = 6
const LOW_SURROGATE = 7

/** Where the counter stands: between words, in one, or behind an apostrophe that may go on with it. */
const OUTSIDE = 0
const INSIDE = 1
const JOINED = 2

let classes: Uint8Array | undefined

/** The class of every character of the basic plane; looking it up is what keeps counting fast. */
const classify = (): Uint8Array => {
  if (classes) return classes
  const table = new Uint8Array(65_536)
  for (let code = 0; code < 65_536; code++) {
    if (code >= 0xd800 && code <= 0xdfff) {
      if (code >= 0xdc00) table[code] = LOW_SURROGATE
      continue
    }
    const character = String.fromCharCode(code)
    if (/\p{M}/u.test(character)) table[code] = MARK
    else if (/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u.test(character) && /[\p{L}\p{N}]/u.test(character))
      table[code] = IDEOGRAPH
    else if (/[\p{L}\p{N}_]/u.test(character)) table[code] = WORD
    else if (/\s/u.test(character)) table[code] = SPACE
  }
  table[10] = table[13] = NEWLINE
  for (const joiner of "'’‑·") table[joiner.charCodeAt(0)] = JOINER
  classes = table
  return table
}

/**
 * Counts a text given piece by piece. Words are runs of letters, digits and marks, with an apostrophe inside them; Han
 * and kana count by character; Thai, Lao, Khmer and Burmese by the dictionary of the runtime.
 */
export const makeTextCounter = (): { add(text: string): void; finish(): TextCounts } => {
  const table = classify()
  const counts = { words: 0, units: 0, hidden: 0, blankLines: 0, longestLineCharacters: 0 }
  const newlines = { lf: 0, crlf: 0, cr: 0 }
  const unspaced = makeUnspacedCounter()
  let wordState = OUTSIDE
  let lineCharacters = 0
  let lineBlank = true
  let afterReturn = false

  const endLine = () => {
    if (lineBlank) counts.blankLines++
    if (lineCharacters > counts.longestLineCharacters) counts.longestLineCharacters = lineCharacters
    lineCharacters = 0
    lineBlank = true
  }
  const endLineAt = (code: number) => {
    if (code === 10 && afterReturn) {
      newlines.crlf++
      newlines.cr--
    } else {
      if (code === 10) newlines.lf++
      else newlines.cr++
      endLine()
    }
    afterReturn = code === 13
  }
  const add = (text: string) => {
    // Locals, because a variable shared by closures costs a memory access for every character.
    let words = 0
    let hidden = 0
    let state = wordState
    let blank = lineBlank
    let lineStart = -lineCharacters
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      const kind = code >= 0xd800 && code <= 0xdbff ? classifyPair(text, i) : (table[code] as number)
      if (kind === WORD) {
        if (state === OUTSIDE) words++
        state = INSIDE
        blank = false
      } else if (kind === SPACE) {
        state = OUTSIDE
      } else if (kind === NEWLINE) {
        lineCharacters = i - lineStart - hidden
        lineBlank = blank
        endLineAt(code)
        state = OUTSIDE
        blank = true
        counts.hidden += hidden
        hidden = 0
        lineStart = i + 1
        continue
      } else {
        blank = false
        if (kind === IDEOGRAPH) {
          words++
          state = OUTSIDE
        } else if (kind === JOINER) state = state === INSIDE ? JOINED : OUTSIDE
        // The second half of a pair belongs to the character that the first half stands for.
        else if (kind === LOW_SURROGATE) hidden++
        else if (kind !== MARK) state = OUTSIDE
      }
      afterReturn = false
    }
    wordState = state
    lineBlank = blank
    lineCharacters = text.length - lineStart - hidden
    counts.hidden += hidden
    counts.units += text.length
    counts.words += words + unspaced.extraWords(text)
  }
  const finish = (): TextCounts => {
    const ended = newlines.lf + newlines.crlf + newlines.cr
    const openLine = lineCharacters > 0
    if (openLine) endLine()
    const { words, units, hidden, blankLines, longestLineCharacters } = counts
    return {
      lines: ended + (openLine ? 1 : 0),
      words,
      characters: units - hidden,
      blankLines,
      longestLineCharacters,
      newlines,
    }
  }
  return { add, finish }
}

const classifyPair = (text: string, at: number): number => {
  const code = text.codePointAt(at) ?? 0
  // Planes 2 and 3 hold ideographs; emoji and symbols are no words; historic and styled letters are.
  if (code >= 0x20000 && code <= 0x3ffff) return IDEOGRAPH
  return /[\p{L}\p{N}]/u.test(String.fromCodePoint(code)) ? WORD : OTHER
}

const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]{2,}/g
const MAX_SEGMENTED_CHARACTERS = 400_000

/** Words beyond the first in each run of a script that has no spaces; past a sample, by the ratio found so far. */
const makeUnspacedCounter = () => {
  let segmenter: Intl.Segmenter | undefined
  let segmentedCharacters = 0
  let segmentedWords = 0
  const segment = (run: string): number => {
    segmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
    let words = 0
    for (const { isWordLike } of segmenter.segment(run)) if (isWordLike) words++
    segmentedCharacters += run.length
    segmentedWords += words
    return words
  }
  return {
    extraWords(text: string): number {
      let extra = 0
      for (const run of text.match(UNSPACED) ?? []) {
        const words =
          segmentedCharacters < MAX_SEGMENTED_CHARACTERS
            ? segment(run)
            : Math.round((run.length * segmentedWords) / segmentedCharacters)
        extra += Math.max(0, words - 1)
      }
      return extra
    },
  }
}
