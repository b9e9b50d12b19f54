import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type EngineName, engines, loadEngine } from './engines.ts'

/**
 * Converts every PDF of a folder with one engine, in a process of its own, and prints CPU seconds: of the first pass,
 * with nothing compiled yet, and of the last, when the code is warm.
 *
 *   node convert-all.ts ENGINE FOLDER OUTPUT_FOLDER
 *
 * Without folders it only tells, by its exit code, whether the engine can be loaded.
 */
const PASSES = 5
const [name, folder, outputFolder] = process.argv.slice(2) as [EngineName, string, string]
await loadEngine(name)
if (!folder) process.exit(0)
const convert = engines[name]
const files = (await readdir(folder)).filter((file) => file.endsWith('.pdf')).sort()
await mkdir(outputFolder, { recursive: true })

// Loading libraries is not what is compared.
await convert(join(folder, files[0] as string))
const cpuSeconds: number[] = []
for (let pass = 0; pass < PASSES; pass++) {
  const before = process.cpuUsage()
  const texts: string[] = []
  for (const file of files) texts.push(await convert(join(folder, file)))
  const { user, system } = process.cpuUsage(before)
  cpuSeconds.push((user + system) / 1e6)
  if (pass > 0) continue
  for (const [index, file] of files.entries())
    await writeFile(join(outputFolder, `${basename(file, '.pdf')}.md`), texts[index] ?? '')
}
console.log(JSON.stringify({ files: files.length, cold: cpuSeconds[0], warm: cpuSeconds.at(-1) }))
