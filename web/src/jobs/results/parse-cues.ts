/** Something that is said from a time to a time. */
export type Cue = { startSeconds: number; endSeconds: number; speaker: string | null; text: string }

/** Reads the cues of a transcript by the ending of its name: WebVTT, SubRip, or our JSON. */
export const parseCues = (text: string, extension: string): Cue[] =>
  extension === 'json' ? parseSegments(text) : parseSubtitles(text)

const TIMES = /((?:\d+:)?\d{1,2}:\d{2}[.,]\d{3})[ \t]+-->[ \t]+((?:\d+:)?\d{1,2}:\d{2}[.,]\d{3})/

const parseSubtitles = (text: string): Cue[] =>
  text.split(/\r?\n[ \t]*\r?\n/).flatMap((block) => {
    const lines = block.split(/\r?\n/)
    const index = lines.findIndex((line) => TIMES.test(line))
    const times = index < 0 ? null : TIMES.exec(lines[index] as string)
    if (!times) return []
    const body = lines.slice(index + 1).join('\n')
    const startSeconds = readTime(times[1] as string)
    const endSeconds = readTime(times[2] as string)
    // Several people may speak in one cue.
    return splitVoices(body).map((voice) => ({ startSeconds, endSeconds, ...voice }))
  })

const splitVoices = (body: string): { speaker: string | null; text: string }[] => {
  const voices = [...body.matchAll(/(?:<v(?:\.[^ \t>]*)?[ \t]+([^>]*)>)?((?:(?!<v[ .\t]).)+)/gs)].map(
    ([, speaker, text = '']) => ({ speaker: speaker ? plain(speaker) : null, text: plain(text) }),
  )
  return voices.filter(({ text }) => text !== '')
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0', lrm: '\u200e', rlm: '\u200f' },
}

/** The words alone: no tags, no entities, one line. */
const plain = (text: string): string =>
  text
    .replace(/<[^>]*>|\{\\[^}]*\}/g, '')
    .replace(/&([a-z]+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim()

const readTime = (time: string): number =>
  time
    .replace(',', '.')
    .split(':')
    .reduce((seconds, part) => seconds * 60 + Number(part), 0)

type Segments = { segments?: { startSeconds: number; endSeconds: number; speaker: string | null; text: string }[] }

const parseSegments = (text: string): Cue[] =>
  ((JSON.parse(text) as Segments).segments ?? []).map(({ startSeconds, endSeconds, speaker, text: said }) => ({
    ...{ startSeconds, endSeconds, speaker, text: said.trim() },
  }))

/** Cues that read as one paragraph, and the place of the first among all. */
export type Paragraph = { speaker: string | null; firstIndex: number; cues: Cue[] }

const PAUSE_SECONDS = 2
const LONG_PARAGRAPH_SECONDS = 30

/** Puts cues together: a paragraph ends with its speaker, with a pause, or with a sentence when it is long. */
export const groupCues = (cues: readonly Cue[]): Paragraph[] => {
  const paragraphs: Paragraph[] = []
  for (const [index, cue] of cues.entries()) {
    const last = paragraphs.at(-1)
    const before = last?.cues.at(-1)
    if (last && before && last.speaker === cue.speaker && !isBreak(last, before, cue)) last.cues.push(cue)
    else paragraphs.push({ speaker: cue.speaker, firstIndex: index, cues: [cue] })
  }
  return paragraphs
}

const isBreak = ({ cues }: Paragraph, before: Cue, cue: Cue): boolean => {
  if (cue.startSeconds - before.endSeconds > PAUSE_SECONDS) return true
  const isLong = before.endSeconds - (cues[0] as Cue).startSeconds > LONG_PARAGRAPH_SECONDS
  return isLong && /[.!?。！？؟]["'”’)]*$/.test(before.text)
}

/** The cue at a time: the last that has begun; -1 before the first. */
export const findCue = (cues: readonly Cue[], seconds: number): number => {
  let low = 0
  let high = cues.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((cues[middle] as Cue).startSeconds <= seconds + 0.01) low = middle + 1
    else high = middle
  }
  return low - 1
}
