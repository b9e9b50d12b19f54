import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { treeMemoryMb } from '../support/measure.ts'

const LOOK_MS = 50
/** Raw pictures of 1080p: 3 MB each, 30 a second. */
const SECONDS = 47

/** Memory of the default job, the engines with it, on a film of more than 4 GiB. */
export const measureLarge = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-bench-large-'))
  try {
    const file = join(folder, 'film.avi')
    const picture = ['-f', 'lavfi', '-i', `testsrc2=s=1920x1080:r=30:d=${SECONDS},format=yuv420p`]
    const sound = ['-f', 'lavfi', '-i', `sine=f=330:r=48000:d=${SECONDS}`]
    execFileSync('ffmpeg', [
      '-nostdin',
      '-v',
      'error',
      ...picture,
      ...sound,
      '-c:v',
      'rawvideo',
      '-c:a',
      'pcm_s16le',
      file,
    ])
    const script = fileURLToPath(new URL('extract-one.ts', import.meta.url))
    const job = spawn(process.execPath, [script, file], { stdio: ['ignore', 'ignore', 'inherit'] })
    let peakMb = 0
    const timer = setInterval(() => {
      peakMb = Math.max(peakMb, treeMemoryMb(job.pid ?? 0))
    }, LOOK_MS)
    const [code] = (await once(job, 'exit')) as [number]
    clearInterval(timer)
    if (code !== 0) throw new Error(`the job ended with ${code}`)
    return { gibibytes: Number((statSync(file).size / 1024 ** 3).toFixed(2)), peakMb: Math.round(peakMb) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
