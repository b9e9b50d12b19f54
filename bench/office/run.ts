import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOSTILE_OFFICE_FILES } from '../../src/formats/shared/ooxml/hostile-fixture.ts'
import { makeDeck, makeDocument } from './make-large.ts'
import { findTools, type Result } from './measure-tool.ts'

const CORPUS = process.env.QUARRY_CORPUS ?? new URL('../../../shared/corpus/', import.meta.url).pathname
const SCORER = process.env.QUARRY_SCORER ?? new URL('../../../shared/score/structure.mjs', import.meta.url).href

const runScript = (script: string, args: readonly string[]): unknown => {
  const output = execFileSync(process.execPath, [join(import.meta.dirname, script), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return JSON.parse(output.toString().trim().split('\n').at(-1) ?? '')
}
const extractOne = (file: string): unknown => runScript('extract-one.ts', [file])

/** Office files and web pages to markdown: fidelity and speed beside other tools, large files, hostile files. */
export const run = async (): Promise<void> => {
  const report: Record<string, unknown> = { cores: cpus().length, node: process.versions.node }
  const tools = await findTools()
  for (const extension of tools[0]?.extensions ?? []) {
    const folder = join(CORPUS, 'office', extension)
    const files = readdirSync(folder)
      .filter((name) => name.endsWith(`.${extension}`))
      .map((name) => join(folder, name))
    const results: Record<string, Result> = {}
    for (const { name } of tools.filter(({ extensions }) => extensions.includes(extension))) {
      results[name] = runScript('measure-tool.ts', [name, SCORER, ...files]) as Result
      console.log(extension, name, JSON.stringify(results[name]))
    }
    report[extension] = results
  }
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-office-'))
  try {
    const large: Record<string, unknown> = {}
    for (const pages of [250, 500, 1_000]) {
      await makeDocument(join(folder, `${pages}.docx`), pages)
      large[`docx ${pages} pages`] = extractOne(join(folder, `${pages}.docx`))
    }
    for (const slides of [125, 250, 500]) {
      await makeDeck(join(folder, `${slides}.pptx`), slides)
      large[`pptx ${slides} slides`] = extractOne(join(folder, `${slides}.pptx`))
    }
    report.large = large
    const hostile = readdirSync(join(CORPUS, 'hostile'))
      .filter((name) => /\.(?:docx|pptx|xlsx|html)$/.test(name))
      .map((name) => join(CORPUS, 'hostile', name))
    for (const { name, make } of HOSTILE_OFFICE_FILES) {
      hostile.push(join(folder, name))
      await writeFile(join(folder, name), await make({ url: 'http://127.0.0.1:9', file: '/etc/hostname' }))
    }
    report.hostile = Object.fromEntries(
      hostile.map((file) => [file.slice(file.lastIndexOf('/') + 1), extractOne(file)]),
    )
    console.log(JSON.stringify({ large, hostile: report.hostile }, null, 2))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  await writeFile(new URL('report.json', import.meta.url), `${JSON.stringify(report, null, 2)}\n`)
}
