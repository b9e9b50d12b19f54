import type { Transcript } from '../model.ts'
import { directLine } from './cue-direction.ts'
import { buildCues } from './cues.ts'
import { formatCueTime } from './format-time.ts'

const label = (speaker: string): string => `${speaker}: `

/** Subtitles as SubRip; who speaks stands in front of the line where the speaker changes. */
export const writeSrt = (transcript: Transcript): string =>
  buildCues(transcript, label)
    .map(({ startMs, endMs, voices }, index) => {
      const lines = voices.flatMap(({ speaker, isNewSpeaker, lines }) =>
        lines.map((line, at) => (isNewSpeaker && speaker !== null && at === 0 ? label(speaker) + line : line)),
      )
      const text = lines.map((line) => directLine(disarm(line), transcript.language)).join('\n')
      return `${index + 1}\n${formatCueTime(startMs, ',')} --> ${formatCueTime(endMs, ',')}\n${text}\n`
    })
    .join('\n')

// SubRip knows no escapes: what players would take for a tag, a style or an arrow is parted by a mark that nobody sees.
const disarm = (line: string): string => line.replace(/<(?=[a-z/])|\{(?=\\)|--(?=>)/gi, (mark) => `${mark}\u2060`)
