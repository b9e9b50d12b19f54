import * as mediaCaptions from 'media-captions'
import { parse } from 'subsrt-ts'

export type ReadCue = { start: number; end: number; text: string }

/** SubRip as a parser reads it that is not ours; times in seconds. */
export const readSrtElsewhere = (srt: string): ReadCue[] =>
  parse(srt, { format: 'srt', eol: '\n' }).flatMap((entry) =>
    entry.type === 'caption'
      ? [{ start: entry.start / 1_000, end: entry.end / 1_000, text: entry.content.trimEnd() }]
      : [],
  )

// Its declarations import each other in a way that this compiler does not follow.
const { parseText } = mediaCaptions as unknown as {
  parseText(
    text: string,
    options: { type: 'vtt'; strict: boolean },
  ): Promise<{ cues: { startTime: number; endTime: number; text: string }[]; errors: unknown[] }>
}

/** WebVTT as a strict parser reads it that is not ours; times in seconds. */
export const readVttElsewhere = async (vtt: string): Promise<ReadCue[]> => {
  const { cues, errors } = await parseText(vtt, { type: 'vtt', strict: true })
  if (errors.length > 0) throw new Error(String(errors[0]))
  return cues.map(({ startTime, endTime, text }) => ({ start: startTime, end: endTime, text }))
}
