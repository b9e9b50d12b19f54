import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Conversion, convertOffice } from '../../src/engines/libreoffice.ts'
import { listResidents, RESIDENTS_VARIABLE } from '../../src/engines/residents.ts'
import { surveyTree } from '../../src/sandbox/process-tree.ts'

const CORPUS = new URL('../../../shared/corpus/office/', import.meta.url).pathname

const KINDS = {
  doc: { importFilter: 'MS Word 97', kind: 'text', filter: 'MS Word 2007 XML' },
  rtf: { importFilter: 'Rich Text Format', kind: 'text', filter: 'MS Word 2007 XML' },
  ppt: { importFilter: 'MS PowerPoint 97', kind: 'slides', filter: 'Impress MS PowerPoint 2007 XML' },
} as const satisfies Record<string, Pick<Conversion, 'importFilter' | 'kind'> & { filter: string }>

type Figures = { files: number; refused: number; cpuSecondsPerFile: number }

/** CPU of a conversion by LibreOffice, each with an office of its own and all with one that stays. */
export const run = async (): Promise<void> => {
  const scratch = mkdtempSync(join(tmpdir(), 'quarry-office-'))
  process.env[RESIDENTS_VARIABLE] = scratch
  const report: Record<string, { cold: Figures; warm: Figures }> = {}
  try {
    for (const extension of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
      const files = listFiles(extension)
      if (files.length === 0) continue
      // A few are enough: the start is the same for all.
      const cold = await measure(files.slice(0, 4), extension, scratch, endOffice)
      await convert(files[0] ?? '', extension, scratch)
      const warm = await measure(files, extension, scratch)
      await endOffice()
      report[extension] = { cold, warm }
      console.log(
        `${extension}: ${cold.cpuSecondsPerFile} CPU s a file cold, ${warm.cpuSecondsPerFile} warm (${warm.files} files, ${warm.refused} more refused)`,
      )
    }
    writeFileSync(new URL('report.json', import.meta.url), `${JSON.stringify(report, null, 2)}\n`)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const endOffice = async (): Promise<void> => {
  for (const pid of listResidents()) process.kill(pid, 'SIGKILL')
  while (listResidents().length > 0) await new Promise((resolve) => setTimeout(resolve, 10))
}

const listFiles = (extension: string): string[] => {
  try {
    return readdirSync(join(CORPUS, extension))
      .filter((name) => name.endsWith(`.${extension}`))
      .map((name) => join(CORPUS, extension, name))
      .filter((path) => statSync(path).isFile())
  } catch {
    return []
  }
}

const convert = (input: string, extension: keyof typeof KINDS, scratch: string): Promise<boolean> => {
  const { filter, ...how } = KINDS[extension]
  const job = { signal: new AbortController().signal, scratch }
  return convertOffice({ ...how, input, outputs: [{ path: join(scratch, 'out'), filter }] }, job).then(
    () => true,
    () => false,
  )
}

const measure = async (
  files: readonly string[],
  extension: keyof typeof KINDS,
  scratch: string,
  afterEach: () => Promise<void> = async () => {},
): Promise<Figures> => {
  let converted = 0
  let cpuSeconds = 0
  for (const input of files) {
    // Of processes that live: one that was killed takes its time with it, so files that end an office are left out.
    const before = surveyTree(process.pid).cpuSeconds
    if (await convert(input, extension, scratch)) {
      converted++
      cpuSeconds += surveyTree(process.pid).cpuSeconds - before
    }
    await afterEach()
  }
  const cpuSecondsPerFile = Math.round((cpuSeconds / converted) * 1000) / 1000
  return { files: converted, refused: files.length - converted, cpuSecondsPerFile }
}
