import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import type { Capability, Context, Source } from '../../src/core/catalog.ts'
import format from '../../src/formats/excel/format.ts'
import { writeTable } from '../../src/formats/shared/markdown.ts'

/** Turns a workbook into markdown, a section per sheet. */
export type MarkdownEngine = (file: string) => Promise<string>

/** Capabilities of a job that nobody chose anything for. */
const DEFAULTS = format.capabilities.filter(({ defaultSelected }) => defaultSelected).map(({ id }) => id)

/** Runs capabilities as the sandboxed child does; gives what they wrote, or only its length where it is not wanted. */
const runOurs = async (file: string, wanted: readonly string[], isKept: boolean): Promise<string> => {
  const scratch = mkdtempSync(join(tmpdir(), 'bench-excel-'))
  try {
    const name = basename(file)
    const source: Source = { path: file, name, extension: extname(name).slice(1), bytes: statSync(file).size }
    const context: Context = {
      signal: new AbortController().signal,
      selected: new Set(wanted),
      scratch,
      progress: () => undefined,
      warn: () => undefined,
    }
    await format.probe?.(source, context, {})
    let out = ''
    let characters = 0
    for (const capability of format.capabilities.filter(({ id }) => wanted.includes(id))) {
      const defaults = Object.entries(capability.options).map(([id, { defaultValue }]) => [id, defaultValue])
      const options = Object.fromEntries(defaults) as Parameters<Capability['extract']>[1]
      for await (const artifact of capability.extract(source, options, context)) {
        if (!('data' in artifact)) continue
        const { data } = artifact
        const pieces = typeof data === 'string' || data instanceof Uint8Array ? [data] : data
        for await (const piece of pieces) {
          characters += piece.length
          if (isKept) out += piece.toString()
        }
      }
    }
    return isKept ? out : String(characters)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const section = (name: string, rows: readonly (readonly string[])[]): string => {
  const [head, ...rest] = rows
  return `## ${name}\n\n${head ? writeTable(head, rest) : ''}\n`
}

const withHucre: MarkdownEngine = async (file) => {
  const { readOds } = await import('hucre/ods')
  const { readXlsx } = await import('hucre/xlsx')
  const { sheets } = await (file.endsWith('.ods') ? readOds : readXlsx)(readFileSync(file))
  return sheets
    .map(({ name, rows }) =>
      section(
        name,
        rows.map((row) => row.map((cell) => (cell instanceof Date ? cell.toISOString() : String(cell ?? '')))),
      ),
    )
    .join('')
}

const withSheetJs: MarkdownEngine = async (file) => {
  const { read, utils } = await import('@e965/xlsx')
  const book = read(readFileSync(file), { dense: true })
  return book.SheetNames.map((name) => {
    const rows = utils.sheet_to_json<string[]>(book.Sheets[name] ?? {}, { header: 1, raw: false, defval: '' })
    return section(name, rows)
  }).join('')
}

/** What is compared: the markdown of each; and ours once more with all that a plain job writes. */
export const ENGINES: Readonly<Record<string, MarkdownEngine>> = {
  quarry: (file) => runOurs(file, ['excel.markdown'], true),
  'quarry, a whole default job': (file) => runOurs(file, DEFAULTS, false),
  hucre: withHucre,
  '@e965/xlsx': withSheetJs,
}
