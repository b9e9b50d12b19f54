import { estimateTokens } from './token-estimate.ts'

/** Parts of a text that are at most `maxTokens` long and, put together, are the text: whole sentences where they fit. */
export const splitText = (text: string, maxTokens: number): string[] =>
  packParts(splitSentences(text), maxTokens, (sentence) =>
    packParts(splitWords(sentence), maxTokens, (word) => splitCharacters(word, maxTokens)),
  )

/** Joins parts as long as they fit; a part that does not fit alone is split by `splitLarge`. */
const packParts = (parts: readonly string[], maxTokens: number, splitLarge: (part: string) => string[]): string[] => {
  const packed: string[] = []
  let current = ''
  let tokens = 0
  for (const part of parts) {
    const size = estimateTokens(part)
    if (current !== '' && tokens + size > maxTokens) {
      packed.push(current)
      current = ''
      tokens = 0
    }
    if (size > maxTokens) packed.push(...splitLarge(part))
    else {
      current += part
      tokens += size
    }
  }
  if (current !== '') packed.push(current)
  return packed
}

// The language is fixed: what comes out must not depend on the machine's settings.
const SENTENCES = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Sentences with the blanks after them; none ends inside emphasis, a link or code. */
export const splitSentences = (markdown: string): string[] => {
  const sentences: string[] = []
  let open = ''
  for (const { segment } of SENTENCES.segment(markdown)) {
    open += segment
    if (open.length <= MAX_OPEN && !isBalanced(open)) continue
    sentences.push(open)
    open = ''
  }
  if (open !== '') sentences.push(open)
  return sentences
}

/** Markup that is still open after this much text is not markup. */
const MAX_OPEN = 5_000

const isBalanced = (markdown: string): boolean => {
  if (!/[*`[\]~]/.test(markdown)) return true
  const marks = markdown.replace(/\\./gsu, '').replace(/(`+)[^`]*\1/g, '')
  const count = (sign: RegExp) => marks.match(sign)?.length ?? 0
  return !marks.includes('`') && count(/\*\*/g) % 2 === 0 && count(/\*/g) % 2 === 0 && count(/\[/g) === count(/\]/g)
}

const splitWords = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [text]

/** Parts of a text that end where lines end, where these fit. */
export const splitLines = (text: string, maxTokens: number): string[] =>
  packParts(text.match(/[^\n]*\n|[^\n]+/g) ?? [text], maxTokens, (line) => splitText(line, maxTokens))

/** More characters than a token has. */
const MOST_PER_TOKEN = 8

const splitCharacters = (word: string, maxTokens: number): string[] => {
  const parts: string[] = []
  let from = 0
  while (from < word.length) {
    let length = Math.min(word.length - from, maxTokens * MOST_PER_TOKEN)
    for (let tokens = estimateTokens(word.slice(from, from + length)); tokens > maxTokens && length > 1; ) {
      length = Math.max(1, Math.floor((length * maxTokens) / tokens))
      tokens = estimateTokens(word.slice(from, from + length))
    }
    // A character outside the basic plane takes two places.
    if (isHighSurrogate(word.charCodeAt(from + length - 1))) length += length > 1 ? -1 : 1
    parts.push(word.slice(from, from + length))
    from += length
  }
  return parts
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
