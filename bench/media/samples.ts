import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Made once and kept beside the packages, where nothing is committed. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/quarry-bench-media/', import.meta.url))

export type Sample = { name: string; file: string; seconds: number; megabitsPerSecond: number }

type Recipe = { name: string; size: string; loops: number; loopSeconds: number; codec: readonly string[] }

const H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23']
const HEVC = ['-c:v', 'libx265', '-preset', 'ultrafast', '-crf', '26', '-x265-params', 'log-level=error']
const RECIPES: readonly Recipe[] = [
  { name: '480p h264', size: '854x480', loops: 6, loopSeconds: 10, codec: H264 },
  { name: '1080p h264', size: '1920x1080', loops: 6, loopSeconds: 10, codec: H264 },
  { name: '1080p hevc', size: '1920x1080', loops: 12, loopSeconds: 5, codec: HEVC },
  { name: '5 minutes', size: '854x480', loops: 30, loopSeconds: 10, codec: H264 },
]

const ffmpeg = (...args: string[]) => execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args])

/** A film that moves and has grain, with stereo sound, encoded once and then played in a loop, for encoding is slow. */
const makeSample = ({ name, size, loops, loopSeconds, codec }: Recipe): Sample => {
  mkdirSync(CACHE, { recursive: true })
  const file = join(CACHE, `${name.replaceAll(' ', '-')}.mp4`)
  const seconds = loops * loopSeconds
  if (!existsSync(file)) {
    console.log(`making ${name}`)
    const picture = `testsrc2=s=${size}:r=30:d=${loopSeconds},noise=alls=6:allf=t:all_seed=7,format=yuv420p`
    const noise = `anoisesrc=color=pink:r=48000:a=0.3:d=${loopSeconds}:seed=1`
    const tone = `sine=f=330:r=48000:d=${loopSeconds}`
    const [loop, part] = [join(CACHE, 'loop.mp4'), join(CACHE, 'part.mp4')]
    ffmpeg(
      ...['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', noise, '-f', 'lavfi', '-i', tone],
      ...['-filter_complex', '[1][2]join=inputs=2:channel_layout=stereo[a]', '-map', '0', '-map', '[a]'],
      ...[...codec, '-c:a', 'aac', '-b:a', '128k', loop],
    )
    ffmpeg('-stream_loop', String(loops - 1), '-i', loop, '-c', 'copy', part)
    renameSync(part, file)
    rmSync(loop)
  }
  const megabitsPerSecond = Number(((statSync(file).size * 8) / seconds / 1e6).toFixed(1))
  return { name, file, seconds, megabitsPerSecond }
}

/** The samples of the benchmark. */
export const makeSamples = (): Sample[] => RECIPES.map(makeSample)
