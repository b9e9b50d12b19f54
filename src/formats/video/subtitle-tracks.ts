import { isUtf8 } from 'node:buffer'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Source } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import { inputArgs, runFfmpeg } from '../../engines/ffmpeg.ts'
import type { StreamFacts } from '../../engines/ffprobe.ts'
import { readPackets } from '../../engines/ffprobe-packets.ts'
import type { Media } from '../shared/media/read-media.ts'
import { type Cue, mendCues, parseSrt } from './cues.ts'
import { subtitleKind } from './subtitle-codecs.ts'

/** One subtitle track as it came out: its text where it has any, and itself in a file. */
export type SubtitleTrack = { stream: StreamFacts; cues: Cue[] | undefined; original: string | undefined }

type Output = { args: string[]; file: string }

const MAX_TEXT_BYTES = 32 * 1_048_576

/** Takes every subtitle track out in one reading of the file; where that fails, each apart. */
export const takeSubtitles = async (source: Source, media: Media, context: Context): Promise<SubtitleTrack[]> => {
  const streams = media.streams.filter(({ kind }) => kind === 'subtitle')
  if (streams.length === 0) return []
  const folder = await mkdtemp(join(context.scratch, 'subtitles-'))
  const planned = streams.map((stream) => ({ stream, ...planOutputs(stream, folder) }))
  const outputs = planned.flatMap(({ text, original }) => [text, original]).filter((output) => output !== undefined)
  const run = (some: readonly Output[]) => writeOutputs(source, media, some, context)
  if (!(await run(outputs))) {
    for (const output of outputs) await rm(output.file, { force: true })
    for (const output of outputs) if (!(await run([output]))) await rm(output.file, { force: true })
  }
  const tracks: SubtitleTrack[] = []
  for (const { stream, text, original } of planned) {
    const cues = text ? await readCues(text.file) : await readUnknown(source, stream, context)
    tracks.push({ stream, cues, original: original && (await isFile(original.file)) ? original.file : undefined })
  }
  return tracks
}

const planOutputs = ({ index, codec }: StreamFacts, folder: string): { text?: Output; original?: Output } => {
  if (codec === 'unknown') return {}
  const { isText, original } = subtitleKind(codec)
  const map = ['-map', `0:${index}`]
  const exact = ['-fflags', '+bitexact', '-flags', '+bitexact', '-map_metadata', '-1', '-map_chapters', '-1']
  const file = (name: string) => join(folder, `${index}.${name}`)
  return {
    ...(isText && { text: { args: [...map, '-c:s', 'srt', ...exact, '-f', 'srt'], file: file('text.srt') } }),
    ...(original && {
      original: {
        args: [...map, '-c', 'copy', ...exact, '-f', original.muxer],
        file: file(original.extension),
      },
    }),
  }
}

/** Whether all of them were written. */
const writeOutputs = async (
  source: Source,
  { durationSeconds }: Media,
  outputs: readonly Output[],
  context: Context,
): Promise<boolean> => {
  if (outputs.length === 0) return true
  const { code } = await runFfmpeg(
    [...inputArgs(source.path, { threads: 1 }), ...outputs.flatMap(({ args, file }) => [...args, file])],
    {
      ...{ signal: context.signal, cwd: context.scratch, durationSeconds, slowness: 1 },
      onProgress: (done) => context.progress(done * 0.9),
    },
  )
  return code === 0
}

const readCues = async (file: string): Promise<Cue[] | undefined> => {
  if (!(await isFile(file))) return undefined
  const { size } = await stat(file)
  if (size > MAX_TEXT_BYTES) {
    throw new JobFailure('extract.limit_exceeded', { limit: 'subtitle_bytes', allowed: MAX_TEXT_BYTES })
  }
  return parseSrt(await readFile(file, 'utf8'))
}

/** Text out of the packets of a track in a codec that the engine does not know; undefined where they are not text. */
const readUnknown = async (
  source: Source,
  { codec, index }: StreamFacts,
  context: Context,
): Promise<Cue[] | undefined> => {
  if (codec !== 'unknown') return undefined
  const cues: Cue[] = []
  for (const { startSeconds, lengthSeconds, data } of await readPackets(source.path, index, context)) {
    if (!isUtf8(data)) return undefined
    cues.push({ startSeconds, endSeconds: startSeconds + lengthSeconds, text: data.toString().replace(/\0.*$/s, '') })
  }
  return cues.some(({ text }) => BINARY.test(text)) ? undefined : mendCues(cues)
}

const BINARY = /(?![\t\n\r])\p{Cc}/u

const isFile = async (file: string): Promise<boolean> => {
  const facts = await stat(file).catch(() => undefined)
  return facts?.isFile() === true && facts.size > 0
}
