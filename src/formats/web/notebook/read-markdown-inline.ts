import { addText, type InlineStyle } from '../../shared/document/inline-content.ts'
import type { Inline } from '../../shared/document/model.ts'

export type InlineReading = {
  /** The id of the image behind an address; undefined where it cannot be shown. */
  image(src: string): string | undefined
}

const MAX_DEPTH = 8
const TOKEN =
  /\\([!-/:-@[-`{-~])|(`+)|!\[([^\]]{0,2000})\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|\[((?:[^[\]]|\[[^[\]]*\]){0,2000})\]\(\s*<?([^)\s>]*)>?(?:\s+"[^"]*")?\s*\)|<((?:https?|mailto):[^>\s]+)>|(\*\*\*|___|\*\*|__|\*|_|~~)|<br\s*\/?>|<\/?[a-zA-Z][^<>]{0,500}>|(?<![$\w])\$(?![\s$])([^$\n]{1,500})(?<!\s)\$(?![\d$])|(?: {2,}|\\)?\n/gi

/** The inline content of a markdown paragraph. */
export const readInlines = (text: string, reading: InlineReading): Inline[] => {
  const content: Inline[] = []
  readRun(text, {}, content, reading, 0)
  return content
}

const readRun = (text: string, style: InlineStyle, content: Inline[], reading: InlineReading, depth: number): void => {
  let at = 0
  const pattern = new RegExp(TOKEN)
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    addText(content, text.slice(at, match.index), style)
    const end = depth < MAX_DEPTH ? readToken(match, text, style, content, reading, depth) : undefined
    if (end === undefined) addText(content, match[0], style)
    at = end ?? match.index + match[0].length
    pattern.lastIndex = at
  }
  addText(content, text.slice(at), style)
}

/** Adds what a token stands for and answers where it ends; undefined where it is only text. */
const readToken = (
  match: RegExpExecArray,
  text: string,
  style: InlineStyle,
  content: Inline[],
  reading: InlineReading,
  depth: number,
): number | undefined => {
  const [whole, escaped, ticks, alt, src, label, href, address, marks, latex] = match
  const end = match.index + whole.length
  if (escaped !== undefined) addText(content, escaped, style)
  else if (ticks !== undefined) {
    const close = findTicks(text, end, ticks)
    if (close < 0) return undefined
    addText(content, text.slice(end, close).replace(/\n/g, ' ').trim(), { ...style, code: true })
    return close + ticks.length
  } else if (src !== undefined) {
    const image = reading.image(src)
    if (image) content.push({ kind: 'image', image, ...(alt ? { alt } : {}) })
    else addText(content, alt ?? '', style)
  } else if (label !== undefined) {
    const target = href && !/^#|^(?:javascript|data|vbscript):/i.test(href) ? { href } : {}
    readRun(label, { ...style, ...target }, content, reading, depth + 1)
  } else if (address !== undefined) addText(content, address.replace(/^mailto:/i, ''), { ...style, href: address })
  else if (marks !== undefined) return readMarked(match.index, marks, text, style, content, reading, depth)
  else if (latex !== undefined) content.push({ kind: 'formula', text: latex, latex })
  else if (/^<br/i.test(whole)) content.push({ kind: 'break' })
  else if (whole.endsWith('\n')) {
    if (whole.length > 1) content.push({ kind: 'break' })
    else addText(content, ' ', style)
  }
  return end
}

const findTicks = (text: string, from: number, ticks: string): number => {
  for (let at = text.indexOf(ticks, from); at >= 0; at = text.indexOf(ticks, at + 1)) {
    if (text[at + ticks.length] !== '`' && text[at - 1] !== '`') return at
  }
  return -1
}

const readMarked = (
  start: number,
  marks: string,
  text: string,
  style: InlineStyle,
  content: Inline[],
  reading: InlineReading,
  depth: number,
): number | undefined => {
  const from = start + marks.length
  const isInWord = marks.startsWith('_') && /[\p{L}\p{N}]/u.test(text[start - 1] ?? '')
  if (isInWord || /^\s|^$/.test(text.slice(from, from + 1))) return undefined
  const close = findMarks(text, from, marks)
  if (close < 0) return undefined
  readRun(text.slice(from, close), { ...style, ...styleOf(marks) }, content, reading, depth + 1)
  return close + marks.length
}

/** Marks are closed within a paragraph, and not far away. */
const MAX_MARKED_CHARACTERS = 5_000

const findMarks = (text: string, from: number, marks: string): number => {
  const limit = Math.min(text.length, from + MAX_MARKED_CHARACTERS)
  for (let at = text.indexOf(marks, from); at >= 0 && at < limit; at = text.indexOf(marks, at + 1)) {
    const isSpaced = /\s/.test(text[at - 1] ?? ' ')
    const isLonger = marks.length === 1 && (text[at + 1] === marks || text[at - 1] === marks)
    const isInWord = marks.startsWith('_') && /[\p{L}\p{N}]/u.test(text[at + marks.length] ?? '')
    if (!isSpaced && !isLonger && !isInWord && at > from) return at
    if (isLonger) at++
  }
  return -1
}

const styleOf = (marks: string): InlineStyle => {
  if (marks === '~~') return { strike: true }
  if (marks.length === 3) return { bold: true, italic: true }
  return marks.length === 2 ? { bold: true } : { italic: true }
}
