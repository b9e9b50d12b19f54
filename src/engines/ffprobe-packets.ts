import { GUARDS, inputName, toMediaFailure } from './ffmpeg.ts'
import { FFPROBE, type ProbeJob } from './ffprobe.ts'
import { runProgram } from './run-program.ts'

/** A packet of a track: its bytes, and when they hold. */
export type Packet = { startSeconds: number; lengthSeconds: number; data: Buffer }

const TIMEOUT_MS = 120_000
const MAX_LISTING_BYTES = 32 * 1_048_576

/** Reads the packets of one small track, such as subtitles in a codec that nothing decodes. */
export const readPackets = async (path: string, index: number, { signal, scratch }: ProbeJob): Promise<Packet[]> => {
  const args = [
    ...['-hide_banner', '-v', 'error', ...GUARDS, '-select_streams', String(index), '-show_data'],
    ...['-show_entries', 'packet=pts_time,duration_time,data', '-of', 'json', inputName(path)],
  ]
  const limits = { signal, timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_LISTING_BYTES, cwd: scratch }
  const { stdout } = await runProgram(FFPROBE.command, args, limits).catch((error) => {
    throw toMediaFailure(error, TIMEOUT_MS)
  })
  type Listed = { pts_time?: string; duration_time?: string; data?: string }
  const { packets = [] } = JSON.parse(stdout.toString() || '{}') as { packets?: Listed[] }
  return packets.map(({ pts_time, duration_time, data }) => ({
    startSeconds: Number(pts_time) || 0,
    lengthSeconds: Number(duration_time) || 0,
    data: readDump(data ?? ''),
  }))
}

/** Bytes out of a dump such as `00000010: 7420 7375 6274 6974 6c65 2e              t subtitle.` */
export const readDump = (dump: string): Buffer =>
  Buffer.concat(
    dump
      .split('\n')
      .map((line) => /^[0-9a-f]{8}: ([0-9a-f ]{39})/.exec(line)?.[1] ?? '')
      .map((hex) => Buffer.from(hex.replaceAll(' ', ''), 'hex')),
  )
