import { escapeInline } from '../shared/markdown.ts'

/** One caption with its times. */
export type Cue = { startSeconds: number; endSeconds: number; lines: string[] }

const TIME = String.raw`((?:\d{1,4}:)?\d{1,2}:\d{1,2}(?:[.,]\d{1,3})?)`
const TIMING = new RegExp(String.raw`^\s*${TIME}\s*-->\s*${TIME}(?:\s|$)`)

/** The cues of a SubRip or WebVTT file; comments, styles and cue numbers are left out. */
export async function* readCues(lines: AsyncIterable<string>): AsyncGenerator<Cue> {
  let cue: Cue | undefined
  for await (const line of lines) {
    const timing = line.includes('-->') ? TIMING.exec(line) : null
    if (timing) {
      if (cue) {
        // SubRip files without blank lines: the number of this cue was taken for text of the last one.
        if (/^\d+$/.test(cue.lines.at(-1) ?? '')) cue.lines.pop()
        yield cue
      }
      cue = { startSeconds: readSeconds(timing[1] ?? ''), endSeconds: readSeconds(timing[2] ?? ''), lines: [] }
    } else if (cue && line.trim() === '') {
      yield cue
      cue = undefined
    } else if (cue) {
      cue.lines.push(line)
    }
  }
  if (cue) yield cue
}

const readSeconds = (time: string): number => {
  const seconds = time
    .replace(',', '.')
    .split(':')
    .reduce((total, part) => total * 60 + Number(part), 0)
  return Math.round(seconds * 1000) / 1000
}

/** `1:02:03` for 3723 seconds. */
export const writeTime = (seconds: number): string => {
  const whole = Math.floor(seconds)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
}

/** The name in a WebVTT voice tag. */
export const speakerOf = (cue: Cue): string | undefined =>
  /<v(?:\.[^\s<>]*)?\s+([^\s<>][^<>]*)>/.exec(cue.lines.join(' '))?.[1]?.trim() || undefined

const TAG = /<(\/?)([a-z]*)[^<>]*>|\{\\[^{}]*\}/gi
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  lrm: '\u200e',
  rlm: '\u200f',
  quot: '"',
}

const decodeEntities = (text: string): string =>
  text.replace(/&([a-z]+);/g, (all, name: string) => ENTITIES[name] ?? all)

/** The text of a cue without markup. */
export const cueText = (cue: Cue): string => decodeEntities(cue.lines.join('\n').replace(TAG, '')).trim()

/** A cue as Markdown: bold and italic stay, lines of one sentence are joined, lines of a dialogue are not. */
export const cueMarkdown = (cue: Cue): string => {
  const dialogue = cue.lines.some((line) => /^\s*(?:<[^<>]*>\s*)*[-–—]\s*\S/.test(line.slice(0, 200)))
  const text = styleText(cue.lines.map((line) => line.trim()).join(dialogue ? '\n' : ' '))
  // Two spaces make a line break, and a dash after an escape is no list.
  return text.split('\n').filter(Boolean).join('  \n').replace(/^-/gm, '\\-')
}

const styleText = (text: string): string => {
  let bold = 0
  let italic = 0
  let at = 0
  let out = ''
  const flush = (piece: string) => {
    const whole = decodeEntities(piece)
    const body = whole.trim()
    const before = body === '' ? whole : whole.slice(0, whole.length - whole.trimStart().length)
    const after = body === '' ? '' : whole.slice(whole.trimEnd().length)
    const mark = body === '' ? '' : `${bold > 0 ? '**' : ''}${italic > 0 ? '*' : ''}`
    out += before + mark + escapeInline(body) + [...mark].reverse().join('') + after
  }
  for (const tag of text.matchAll(TAG)) {
    flush(text.slice(at, tag.index))
    at = tag.index + tag[0].length
    const step = tag[1] === '/' ? -1 : 1
    const name = tag[2]?.toLowerCase()
    if (name === 'b') bold = Math.max(0, bold + step)
    if (name === 'i') italic = Math.max(0, italic + step)
  }
  flush(text.slice(at))
  return out.replace(/[ \t]+/g, ' ').trim()
}
