import type { Transcript } from '../model.ts'
import { directLine } from './cue-direction.ts'
import { buildCues, type CueVoice } from './cues.ts'
import { formatCueTime } from './format-time.ts'

/** Subtitles as WebVTT; who speaks is the voice of the cue. */
export const writeVtt = (transcript: Transcript): string => {
  const cues = buildCues(transcript, () => '').map(({ startMs, endMs, voices }, index) => {
    const text = voices.map((voice) => writeVoice(voice, transcript.language)).join('\n')
    return `\n${index + 1}\n${formatCueTime(startMs, '.')} --> ${formatCueTime(endMs, '.')}\n${text}\n`
  })
  return `WEBVTT\n${cues.join('')}`
}

const writeVoice = ({ speaker, lines }: CueVoice, language: string): string => {
  const text = lines.map((line) => directLine(escapeCue(line), language)).join('\n')
  return speaker === null ? text : `<v ${escapeCue(speaker)}>${text}</v>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escapeCue = (text: string): string => text.replace(/[&<>]/g, (char) => ENTITIES[char] as string)
