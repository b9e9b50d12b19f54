import { formatClock } from './clock.ts'

/** A line of subtitles and when it is shown. `text` may hold `<b>`, `<i>` and `<u>`, and is otherwise plain. */
export type Cue = { startSeconds: number; endSeconds: number; text: string }

const TIMES = /^\s*(\d+):(\d\d):(\d\d)[,.](\d{1,3})\s*-->\s*(\d+):(\d\d):(\d\d)[,.](\d{1,3})/

/** A cue that is shown longer than this has no end; it ends with the next one, or after a while. */
const MAX_CUE_SECONDS = 3_600
const OPEN_CUE_SECONDS = 5

/** Reads SubRip as the engine writes it: numbers, times, lines, and a blank line after each. */
export const parseSrt = (srt: string): Cue[] => {
  const cues: Cue[] = []
  let cue: { startSeconds: number; endSeconds: number; lines: string[] } | undefined
  const finish = () => {
    if (!cue) return
    const { startSeconds, endSeconds, lines } = cue
    cues.push({ startSeconds, endSeconds, text: lines.join('\n') })
  }
  for (const line of srt.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const found = TIMES.exec(line)
    if (!found) {
      cue?.lines.push(line)
      continue
    }
    // The number of a cue stands before its times, so it has been read as text of the one before.
    if (cue && /^\d+$/.test(cue.lines.at(-1) ?? '')) cue.lines.pop()
    finish()
    const [h1, m1, s1, f1, h2, m2, s2, f2] = found.slice(1)
    const seconds = (h = '', m = '', s = '', f = '') =>
      Number(h) * 3_600 + Number(m) * 60 + Number(s) + Number(f.padEnd(3, '0')) / 1_000
    cue = { startSeconds: seconds(h1, m1, s1, f1), endSeconds: seconds(h2, m2, s2, f2), lines: [] }
  }
  finish()
  return mendCues(cues)
}

/** Cues that can be written: clean, in order, none empty, none without an end, none twice. */
export const mendCues = (cues: readonly Cue[]): Cue[] => {
  const clean = cues.map((cue) => ({ ...cue, text: cleanText(cue.text) })).filter(({ text }) => text !== '')
  const sorted = clean.toSorted((a, b) => a.startSeconds - b.startSeconds)
  let next = Number.POSITIVE_INFINITY
  const mended = sorted.toReversed().map((cue, i, reversed) => {
    const later = reversed[i - 1]?.startSeconds ?? next
    if (later > cue.startSeconds) next = later
    const isOpen = !(cue.endSeconds > cue.startSeconds) || cue.endSeconds - cue.startSeconds > MAX_CUE_SECONDS
    return isOpen ? { ...cue, endSeconds: Math.min(next, cue.startSeconds + OPEN_CUE_SECONDS) } : cue
  })
  mended.reverse()
  const isSame = (a: Cue, b: Cue | undefined) =>
    a.startSeconds === b?.startSeconds && a.endSeconds === b.endSeconds && a.text === b.text
  return mended.filter((cue, i) => !isSame(cue, mended[i - 1]))
}

/** Text without positions, fonts and colours: only bold, italic and underlined survive, and only where they are closed. */
const cleanText = (text: string): string => {
  const plain = text
    .replace(/\{\\[^}]*\}/g, '')
    .replace(/\\h/g, ' ')
    .replace(/<\/?(?!\/?[biu]>)[a-z][^<>]*>/gi, '')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
  const isBalanced = ['b', 'i', 'u'].every((tag) => plain.split(`<${tag}>`).length === plain.split(`</${tag}>`).length)
  return (isBalanced ? plain : plain.replace(/<\/?[biu]>/gi, '')).trim()
}

/** Writes SubRip. */
export const writeSrt = (cues: readonly Cue[]): string =>
  cues
    .map(({ startSeconds, endSeconds, text }, i) => {
      const times = `${formatClock(startSeconds, ',')} --> ${formatClock(endSeconds, ',')}`
      return `${i + 1}\n${times}\n${text.replaceAll('-->', '->')}\n`
    })
    .join('\n')

/** Writes WebVTT. */
export const writeVtt = (cues: readonly Cue[]): string =>
  [
    'WEBVTT\n',
    ...cues.map(
      ({ startSeconds, endSeconds, text }) =>
        `${formatClock(startSeconds)} --> ${formatClock(endSeconds)}\n${escapeVtt(text)}\n`,
    ),
  ].join('\n')

/** Everything but the few tags that are kept is text. */
const escapeVtt = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/&lt;(\/?[biu])&gt;/g, '<$1>')
