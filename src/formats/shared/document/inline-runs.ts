import { charAfter, charBefore } from './markdown-escape.ts'
import type { Inline, TextInline } from './model.ts'

/** Text of one style, or something that is not text. */
export type InlineRun = { text: string; style: InlineStyle } | { atom: Exclude<Inline, TextInline> }
export type InlineStyle = {
  bold: boolean
  italic: boolean
  strike: boolean
  code: boolean
  script: 'super' | 'sub' | ''
  href: string
}
type TextRun = Extract<InlineRun, { text: string }>

export const isTextRun = (run: InlineRun | undefined): run is TextRun => run !== undefined && 'text' in run

/** The inlines as few runs as possible: blanks collapsed, styles that change inside a word evened out. */
export const toRuns = (content: readonly Inline[]): InlineRun[] => {
  const runs = content.map(toRun).filter((run) => !isTextRun(run) || run.text !== '')
  return mergeRuns(collapseBlanks(styleBlanks(mergeRuns(evenOutWords(mergeRuns(runs))))))
}

const toRun = (inline: Inline): InlineRun =>
  inline.kind === 'text' ? { text: cleanText(inline.text), style: styleOf(inline) } : { atom: inline }

/** Code has no other style: it would only part one piece of code from the next. */
const styleOf = ({ bold, italic, strike, code, script, href }: TextInline): InlineStyle => ({
  bold: bold === true && !code,
  italic: italic === true && !code,
  strike: strike === true && !code,
  code: code === true,
  script: (!code && script) || '',
  href: href ?? '',
})

/** Control characters have no place in text; what separates becomes a blank. */
export const cleanText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
  text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ').replace(/[\u0000-\u001f\u007f\ufeff]/g, '')

const isSameStyle = (a: InlineStyle, b: InlineStyle): boolean =>
  a.bold === b.bold &&
  a.italic === b.italic &&
  a.strike === b.strike &&
  a.code === b.code &&
  a.script === b.script &&
  a.href === b.href

const mergeRuns = (runs: readonly InlineRun[]): InlineRun[] => {
  const merged: InlineRun[] = []
  for (const run of runs) {
    const last = merged.at(-1)
    if (isTextRun(run) && run.text === '') continue
    if (isTextRun(run) && isTextRun(last) && isSameStyle(run.style, last.style)) {
      merged[merged.length - 1] = { text: last.text + run.text, style: last.style }
    } else merged.push(run)
  }
  return merged
}

// Scripts without blanks between words change style wherever their writers like.
const LETTER = /^(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}])[\p{L}\p{N}\p{M}]/u
const isLetter = (char: string): boolean => LETTER.test(char)

/** A word that is bold or italic in part takes the style of most of its letters: markers inside words break them. */
const evenOutWords = (runs: readonly InlineRun[]): InlineRun[] => {
  const out = [...runs]
  for (let index = 0; index + 1 < out.length; index++) {
    const left = out[index]
    const right = out[index + 1]
    if (!isTextRun(left) || !isTextRun(right) || !differsInWeight(left.style, right.style)) continue
    const head = takeEnd(left.text, isLetter)
    const tail = takeStart(right.text, isLetter)
    if (head === '' || tail === '') continue
    if (head.length >= tail.length) {
      out[index] = { text: left.text + tail, style: left.style }
      out[index + 1] = { text: right.text.slice(tail.length), style: right.style }
    } else {
      out[index] = { text: left.text.slice(0, -head.length), style: left.style }
      out[index + 1] = { text: head + right.text, style: right.style }
    }
    if ((out[index + 1] as TextRun).text === '') out.splice(index + 1, 1)
  }
  return out
}

/** The beginning of a text as far as its characters pass. */
export const takeStart = (text: string, passes: (char: string) => boolean): string => {
  let end = 0
  while (end < text.length) {
    const char = charAfter(text, end)
    if (!passes(char)) break
    end += char.length
  }
  return text.slice(0, end)
}

/** The end of a text as far back as its characters pass. */
export const takeEnd = (text: string, passes: (char: string) => boolean): string => {
  let start = text.length
  while (start > 0) {
    const char = charBefore(text, start)
    if (!passes(char)) break
    start -= char.length
  }
  return text.slice(start)
}

const differsInWeight = (a: InlineStyle, b: InlineStyle): boolean =>
  (a.bold !== b.bold || a.italic !== b.italic) &&
  a.strike === b.strike &&
  a.code === b.code &&
  a.script === b.script &&
  a.href === b.href

/** Blanks and marks between two runs of one style have that style, any others have none: markers belong to words. */
const styleBlanks = (runs: readonly InlineRun[]): InlineRun[] =>
  runs.map((run, index) => {
    if (!isTextRun(run) || run.style.code || /[\p{L}\p{N}]/u.test(run.text)) return run
    const before = runs[index - 1]
    const after = runs[index + 1]
    const common = isTextRun(before) && isTextRun(after) ? commonStyle(before.style, after.style) : NO_STYLE
    const { bold, italic, strike } = common
    return { text: run.text, style: run.text.trim() === '' ? common : { ...run.style, bold, italic, strike } }
  })

const NO_STYLE: InlineStyle = { bold: false, italic: false, strike: false, code: false, script: '', href: '' }

const commonStyle = (a: InlineStyle, b: InlineStyle): InlineStyle => ({
  bold: a.bold && b.bold,
  italic: a.italic && b.italic,
  strike: a.strike && b.strike,
  code: a.code && b.code,
  script: a.script === b.script ? a.script : '',
  href: a.href === b.href ? a.href : '',
})

/** One blank or break instead of several, none at the beginning and end, no blank beside a break. */
const collapseBlanks = (runs: readonly InlineRun[]): InlineRun[] => {
  const out: InlineRun[] = []
  let wasBlank = true
  for (const run of runs) {
    if (!isTextRun(run)) {
      const isBreak = run.atom.kind === 'break'
      if (isBreak) trimEnd(out)
      if (!isBreak || out.length > 0) out.push(run)
      wasBlank = isBreak
      continue
    }
    const text = run.text.replace(/ {2,}/g, ' ').replace(/^ /, wasBlank ? '' : ' ')
    if (text === '') continue
    wasBlank = text.endsWith(' ')
    out.push({ text, style: run.style })
  }
  trimEnd(out)
  return out
}

const trimEnd = (runs: InlineRun[]): void => {
  for (let last = runs.pop(); last !== undefined; last = runs.pop()) {
    const kept = isTextRun(last) ? { text: last.text.trimEnd(), style: last.style } : last
    if (isTextRun(kept) ? kept.text === '' : kept.atom.kind === 'break') continue
    runs.push(kept)
    return
  }
}

/** The text of inlines alone: breaks are blanks, notes and images leave no trace. */
export const toPlainText = (content: readonly Inline[]): string => {
  let out = ''
  for (const inline of content) {
    if (inline.kind === 'text') out += inline.text
    else if (inline.kind === 'break') out += ' '
    else if (inline.kind === 'formula') out += inline.text
  }
  return cleanText(out).replace(/ {2,}/g, ' ').trim()
}
