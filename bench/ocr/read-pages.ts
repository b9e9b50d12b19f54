import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OcrEngineChoice, recognizeImage } from '../../src/formats/shared/ocr/recognize.ts'
import { treeCpuSeconds } from '../support/measure.ts'

/** What was read on one page, as this process tells it, a line of JSON each. */
export type PageRead = {
  path: string
  text: string
  cpuSeconds: number
  engine: string
  rotation: number
  confidence: number
}

/** Reads the images named on the command line with one engine: in a process of its own, so that its memory can be seen. */
const [engine = 'auto', ...paths] = process.argv.slice(2)
const scratch = await mkdtemp(join(tmpdir(), 'bench-ocr-'))
const context = {
  signal: new AbortController().signal,
  selected: new Set<string>(),
  scratch,
  progress: () => {},
  warn: () => {},
}
for (const path of paths) {
  const before = treeCpuSeconds(process.pid)
  const settings = { engine: engine as OcrEngineChoice, languages: ['eng'] }
  const { content, rotation, meanConfidence, engine: used } = await recognizeImage({ path }, settings, context)
  const page: PageRead = {
    path,
    text: content.runs.map((run) => run.text).join('\n'),
    cpuSeconds: treeCpuSeconds(process.pid) - before,
    engine: used,
    rotation,
    confidence: meanConfidence,
  }
  console.log(JSON.stringify(page))
}
await rm(scratch, { recursive: true, force: true })
