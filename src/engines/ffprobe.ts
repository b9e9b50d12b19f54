import type { Tool } from '../core/catalog.ts'
import { JobFailure } from '../core/errors.ts'
import { FFMPEG, GUARDS, inputName, toMediaFailure } from './ffmpeg.ts'
import type { ChapterFacts, MediaFacts } from './ffprobe-facts.ts'
import { readStream } from './ffprobe-streams.ts'
import { toNumber, toTags } from './ffprobe-values.ts'
import { runProgram } from './run-program.ts'

export type * from './ffprobe-facts.ts'

/** The program, as families declare it. */
export const FFPROBE = {
  name: 'ffprobe',
  command: 'ffprobe',
  versionArgs: ['-version'],
  debianPackage: FFMPEG.debianPackage,
  purpose: 'measures and describes audio and video',
} as const satisfies Tool

export type ProbeJob = { signal: AbortSignal; scratch: string }

const TIMEOUT_MS = 60_000
const MAX_LISTING_BYTES = 16 * 1_048_576

/** How much is read to find every stream: tracks of a broadcast may begin late. */
const PROBE_BYTES = 32 * 1_048_576
const ANALYZE_MICROSECONDS = 15_000_000

type Listing = {
  format?: Record<string, unknown>
  streams?: Record<string, unknown>[]
  chapters?: Record<string, unknown>[]
}

/** Reads what a media file says about itself. A file that cannot be opened is `extract.source_unreadable`. */
export const probeMedia = async (path: string, { signal, scratch }: ProbeJob): Promise<MediaFacts> => {
  const args = [
    ...['-hide_banner', '-v', 'error', ...GUARDS],
    ...['-probesize', String(PROBE_BYTES), '-analyzeduration', String(ANALYZE_MICROSECONDS)],
    ...['-show_format', '-show_streams', '-show_chapters', '-of', 'json', inputName(path)],
  ]
  const limits = { signal, timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_LISTING_BYTES, cwd: scratch }
  const result = await runProgram(FFPROBE.command, args, limits).catch((error) => {
    throw toMediaFailure(error, TIMEOUT_MS)
  })
  const listing = parseListing(result.stdout.toString(), result.stderr)
  const { format = {}, streams = [], chapters = [] } = listing
  if (format.format_name === undefined) {
    throw new JobFailure('extract.source_unreadable', {}, { cause: new Error(result.stderr) })
  }
  delete format.filename
  const declaredSeconds = toNumber(format.duration)
  return {
    container: String(format.format_name),
    ...(format.format_long_name !== undefined && { containerName: String(format.format_long_name) }),
    ...(declaredSeconds !== undefined && declaredSeconds > 0 && { declaredSeconds }),
    startSeconds: toNumber(format.start_time) ?? 0,
    ...(toNumber(format.bit_rate) !== undefined && { bitRate: toNumber(format.bit_rate) as number }),
    tags: toTags(format.tags),
    chapters: chapters.flatMap(readChapter),
    streams: streams.map(readStream),
    raw: listing,
  }
}

const parseListing = (json: string, stderr: string): Listing => {
  try {
    return JSON.parse(json)
  } catch {
    throw new JobFailure('extract.source_unreadable', {}, { cause: new Error(stderr) })
  }
}

const readChapter = (chapter: Record<string, unknown>): ChapterFacts[] => {
  const startSeconds = toNumber(chapter.start_time)
  const endSeconds = toNumber(chapter.end_time)
  if (startSeconds === undefined || endSeconds === undefined) return []
  const { title } = toTags(chapter.tags)
  return [{ startSeconds, endSeconds, ...(title !== undefined && { title }) }]
}
