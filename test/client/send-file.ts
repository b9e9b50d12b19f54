import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createClient } from '../../packages/client/src/index.ts'

/** Sends one file from a process of its own, and tells the most memory that it took. */
const [path = '', how] = process.argv.slice(2)
const client = createClient({ baseUrl: `${process.env.QUARRY_BASE}/extract`, apiKey: process.env.QUARRY_KEY ?? '' })
const { size } = await stat(path)
const file = how === 'path' ? path : { name: 'large.zip', size, stream: () => createReadStream(path) }
let sentBytes = 0
const { id } = await client.extract(file, {
  onProgress: (progress) => {
    sentBytes = progress.sentBytes
  },
})
// Not `maxRSS`: a process starts with that of the one that started it.
const peakKb = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile('/proc/self/status', 'utf8'))?.[1]
const peakMb = Math.round(Number(peakKb) / 1024)
process.stdout.write(JSON.stringify({ id, peakMb, sentBytes }))
