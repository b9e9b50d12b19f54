import { GUARDS, inputName, timeLimitMs, toMediaFailure } from './ffmpeg.ts'
import { FFPROBE, type MediaFacts, type ProbeJob, type StreamFacts } from './ffprobe.ts'
import { runProgram } from './run-program.ts'

/** Containers without a clock of their own: their length is a guess from the bit rate, or a header's word for it. */
const WITHOUT_CLOCK: ReadonlySet<string> = new Set([
  ...['mp3', 'aac', 'ac3', 'eac3', 'dts', 'truehd', 'mpegvideo', 'amr'],
  // Several recordings may follow each other in one file, each with a clock that starts anew.
  'ogg',
])

/** Where the reading of the end begins, before the declared end. */
const TAIL_SECONDS = 3
/** Differences that come from encoder delay, edit lists and rounding. */
const TOLERANCE_SECONDS = 0.5
const TOLERANCE_SHARE = 0.01
/** The last packet may not say how long it is, or lie. */
const MAX_PACKET_SECONDS = 10
const MAX_LISTING_BYTES = 1_073_741_824

/** Tracks that play: covers are not among them. */
export const playingStreams = ({ streams }: MediaFacts): StreamFacts[] =>
  streams.filter(({ kind, isAttachedPicture }) => kind === 'audio' || (kind === 'video' && !isAttachedPicture))

/**
 * How long the sound and the pictures really are. The container is believed where packets are found at the end that it
 * declares and none after it; otherwise every packet is counted, without decoding any.
 */
export const measureDuration = async (path: string, facts: MediaFacts, job: ProbeJob): Promise<number> => {
  const { declaredSeconds = 0, startSeconds, container } = facts
  const hasClock = !container.split(',').some((name) => WITHOUT_CLOCK.has(name))
  if (hasClock && declaredSeconds > 0) {
    const from = Math.max(0, declaredSeconds - TAIL_SECONDS) + startSeconds
    const tail = await spanOfPackets(path, facts, job, from)
    if (tail && agrees(tail, startSeconds, declaredSeconds)) return declaredSeconds
  }
  const all = await spanOfPackets(path, facts, job)
  if (!all) return declaredSeconds
  // A guess, even a good one, gives way to the count.
  if (!hasClock) return all.end - all.start
  const start = startSeconds < all.end ? Math.max(startSeconds, all.start) : all.start
  return agrees(all, start, declaredSeconds) ? declaredSeconds : all.end - start
}

const agrees = ({ lastStart, lastEnd }: Span, start: number, declared: number): boolean => {
  const tolerance = Math.max(TOLERANCE_SECONDS, declared * TOLERANCE_SHARE)
  return declared >= lastStart - start - tolerance && declared <= lastEnd - start + tolerance
}

/** `lastStart` and `lastEnd` are the bounds of where it may end; `end` is the likeliest. */
type Span = { start: number; lastStart: number; lastEnd: number; end: number }

/** The time from the first packet to the end of the last, of the tracks that play; undefined where none has a time. */
const spanOfPackets = async (
  path: string,
  facts: MediaFacts,
  { signal, scratch }: ProbeJob,
  fromSeconds?: number,
): Promise<Span | undefined> => {
  const counted = new Set(playingStreams(facts).map(({ index }) => String(index)))
  let start = Number.POSITIVE_INFINITY
  let lastStart = Number.NEGATIVE_INFINITY
  let lastEnd = lastStart
  let end = lastStart
  const mayRestart = facts.container === 'ogg'
  const followOn = createFollower()
  const readLine = (line: string) => {
    const [stream = '', pts, dts, length] = line.split(',')
    if (!counted.has(stream)) return
    const at = Number.parseFloat(pts ?? '')
    const stamp = Number.isFinite(at) ? at : Number.parseFloat(dts ?? '')
    if (!Number.isFinite(stamp)) return
    const time = mayRestart ? followOn(stream, stamp) : stamp
    start = Math.min(start, time)
    const lengthSeconds = Number.parseFloat(length ?? '') || undefined
    lastStart = Math.max(lastStart, time)
    lastEnd = Math.max(lastEnd, time + (lengthSeconds ?? MAX_PACKET_SECONDS))
    end = Math.max(end, time + Math.min(lengthSeconds ?? 0, MAX_PACKET_SECONDS))
  }
  const timeoutMs = timeLimitMs(facts.declaredSeconds ?? 0, 0.1)
  let rest = ''
  await runProgram(
    FFPROBE.command,
    [
      ...['-hide_banner', '-v', 'quiet', ...GUARDS],
      ...(fromSeconds === undefined ? [] : ['-read_intervals', `${fromSeconds.toFixed(3)}%`]),
      ...['-show_entries', 'packet=stream_index,pts_time,dts_time,duration_time', '-of', 'csv=p=0', inputName(path)],
    ],
    {
      ...{ signal, timeoutMs, maxOutputBytes: MAX_LISTING_BYTES, cwd: scratch },
      onOutput: (chunk) => {
        const lines = (rest + chunk.toString('latin1')).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) readLine(line)
      },
    },
  ).catch((error) => {
    throw toMediaFailure(error, timeoutMs)
  })
  return Number.isFinite(end) ? { start, lastStart, lastEnd, end } : undefined
}

/** A clock that jumps back by more than this has started anew. */
const RESTART_SECONDS = 0.5

/** Gives the packets of each track times that go on where those of the recording before ended. */
const createFollower = (): ((stream: string, time: number) => number) => {
  const clocks = new Map<string, { base: number; last: number }>()
  return (stream, time) => {
    const clock = clocks.get(stream) ?? { base: 0, last: time }
    clocks.set(stream, clock)
    if (time < clock.last - RESTART_SECONDS) clock.base += clock.last
    clock.last = time
    return clock.base + time
  }
}
