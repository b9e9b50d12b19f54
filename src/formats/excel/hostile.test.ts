import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Artifact, Context, Source } from '../../core/catalog.ts'
import format from './format.ts'
import { type FixtureWorkbook, writeXlsx, writeZip } from './zip-fixture.ts'

let scratch = ''
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'excel-'))
})
afterEach(() => rm(scratch, { recursive: true, force: true }))

const textOf = async (artifact: Artifact): Promise<string> => {
  if (!('data' in artifact)) return ''
  if (typeof artifact.data === 'string') return artifact.data
  if (artifact.data instanceof Uint8Array) return Buffer.from(artifact.data).toString()
  let text = ''
  for await (const piece of artifact.data) text += typeof piece === 'string' ? piece : Buffer.from(piece).toString()
  return text
}

/** Runs all capabilities on a file, or the wanted ones; gives what came out by path, the warnings, and what was measured. */
const extract = async (bytes: Uint8Array, extension = 'xlsx', wanted?: readonly string[]) => {
  const path = join(scratch, `source.${extension}`)
  await writeFile(path, bytes)
  const source: Source = { path, name: `source.${extension}`, extension, bytes: bytes.length }
  const warnings = new Set<string>()
  const context: Context = {
    signal: new AbortController().signal,
    selected: new Set(wanted ?? format.capabilities.map(({ id }) => id)),
    scratch,
    progress: () => undefined,
    warn: (code) => warnings.add(code),
  }
  const metrics = await format.probe?.(source, context, {})
  const artifacts: Record<string, string> = {}
  for (const capability of format.capabilities) {
    if (wanted && !wanted.includes(capability.id)) continue
    const defaults = Object.entries(capability.options).map(([id, { defaultValue }]) => [id, defaultValue])
    for await (const artifact of capability.extract(source, Object.fromEntries(defaults), context)) {
      artifacts[artifact.path] = await textOf(artifact)
    }
  }
  return { artifacts, warnings: [...warnings], metrics }
}
const extractXlsx = async (workbook: FixtureWorkbook) => await extract(await writeXlsx(workbook))
const sheet = (xml: string): FixtureWorkbook => ({ sheets: [{ name: 'S', xml }] })

describe('places', () => {
  test('cells at the ends of a sheet, whatever it says of its size', async () => {
    const { artifacts, warnings } = await extractXlsx(
      sheet(
        '<dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row><row r="1048576"><c r="A1048576"><v>3</v></c></row></sheetData>',
      ),
    )
    expect(artifacts['csv/S.csv']).toBe('1,2\r\n3,\r\n')
    expect(artifacts['markdown/source.md']).toBe('## S\n\n| 1 | 2 |\n| - | - |\n\n| 3 |\n| - |\n')
    expect(warnings).toContain('excel.gaps_left_out')
  })

  test('cells outside of any sheet are dropped, the rest is kept', async () => {
    const { artifacts, warnings } = await extractXlsx(
      sheet(
        '<dimension ref="-5:ZZZZ99999999"/><sheetData><row r="-3"><c r="A-3"><v>1</v></c></row><row r="1"><c r="A1"><v>2</v></c><c r="XFE1"><v>3</v></c><c r="ZZZZZZZ1"><v>4</v></c></row><row r="99999999999"><c r="A99999999999"><v>5</v></c></row><row r="NaN"><c><v>6</v></c></row></sheetData>',
      ),
    )
    expect(artifacts['csv/S.csv']).toBe('2\r\n')
    expect(warnings).toContain('excel.cells_cut')
  })

  test('16,384 columns in a few rows', async () => {
    const row = (index: number) => `<row r="${index}">${'<c><v>7</v></c>'.repeat(16_384)}</row>`
    const { artifacts } = await extractXlsx(sheet(`<sheetData>${row(1)}${row(2)}</sheetData>`))
    expect(artifacts['csv/S.csv']?.split('\r\n').map((line) => line.split(',').length)).toEqual([16_384, 16_384, 1])
    expect(artifacts['json/source.json']).toContain('"usedRange":"A1:XFD2"')
  })

  test('merged ranges over the whole sheet, and absurd ones', async () => {
    const { artifacts } = await extractXlsx(
      sheet(
        '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/><mergeCell ref="nonsense"/><mergeCell ref="A0:B-1"/></mergeCells>',
      ),
    )
    expect(artifacts['csv/S.csv']).toBe('1\r\n')
  })
})

describe('archives and markup', () => {
  const failsWith = async (file: Promise<unknown>, code: string, params = {}) =>
    await expect(file).rejects.toMatchObject({ code, params })

  test('entities in shared strings', async () => {
    const laughs = Array.from({ length: 10 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
    const bomb = `<?xml version="1.0"?><!DOCTYPE sst [<!ENTITY l0 "ha">${laughs}]><sst><si><t>&l10;</t></si></sst>`
    await failsWith(
      extractXlsx({
        sheets: [{ name: 'S', xml: '<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData>' }],
        relations: { strings: ['sharedStrings', 'sharedStrings.xml'] },
        parts: { 'xl/sharedStrings.xml': bomb },
      }),
      'extract.source_unreadable',
      { reason: 'doctype' },
    )
  })

  test('a sheet that declares an entity of a file', async () => {
    await failsWith(
      extractXlsx({
        sheets: [{ name: 'S', xml: '' }],
        parts: {
          'xl/worksheets/sheet1.xml':
            '<!DOCTYPE worksheet [<!ENTITY x SYSTEM "file:///etc/passwd">]><worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>&x;</t></is></c></row></sheetData></worksheet>',
        },
      }),
      'extract.source_unreadable',
      { reason: 'doctype' },
    )
  })

  test('a sheet that unfolds to far more than it takes', async () => {
    await failsWith(
      extractXlsx(sheet(`<sheetData>${' '.repeat(66 * 1024 ** 2)}</sheetData>`)),
      'extract.limit_exceeded',
    )
  })

  test('an entry that is larger than it says', async () => {
    const bytes = await writeXlsx(sheet(`<sheetData>${' '.repeat(1_000)}</sheetData>`))
    const entry = bytes.lastIndexOf('xl/worksheets/sheet1.xml')
    bytes.writeUInt32LE(100, entry - 46 + 24)
    await failsWith(extract(bytes), 'extract.source_unreadable')
  })

  test('nesting without end', async () => {
    await failsWith(extractXlsx(sheet('<sheetData>'.repeat(200_000))), 'extract.limit_exceeded')
  })

  test('no workbook at all', async () => {
    await failsWith(extract(Buffer.from('plainly no workbook')), 'extract.source_unreadable')
    await failsWith(extract(await writeZip({ 'a.txt': 'a' })), 'extract.source_unreadable')
    await failsWith(extract(await writeZip({ 'a.txt': 'a' }), 'ods'), 'extract.source_unreadable')
  })

  test('a workbook with a password, and one whose key takes forever', async () => {
    const { default: officeCrypto } = await import('officecrypto-tool')
    const locked = await officeCrypto.encrypt(await writeXlsx(sheet('<sheetData/>')), { password: 'granite' })
    for (const extension of ['xlsx', 'xlsb', 'xls']) {
      await failsWith(extract(locked, extension), 'extract.source_encrypted')
    }
    const slow = Buffer.from(locked.toString('latin1').replace('spinCount="100000"', 'spinCount="999999"'), 'latin1')
    slow.write('spinCount="4e9"   ', slow.indexOf('spinCount="999999"'))
    await failsWith(extract(slow), 'extract.limit_exceeded', { limit: 'spinCount' })
  })

  test('a compound file that holds nothing', async () => {
    const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2_040)])
    for (const extension of ['xlsx', 'xls']) await failsWith(extract(compound, extension), 'extract.source_unreadable')
  })
})

describe('OpenDocument', () => {
  const OFFICE = 'urn:oasis:names:tc:opendocument:xmlns'
  const ods = async (tables: string, wanted?: readonly string[]) =>
    await extract(
      await writeZip({
        'content.xml': `<office:document-content xmlns:office="${OFFICE}:office:1.0" xmlns:table="${OFFICE}:table:1.0" xmlns:text="${OFFICE}:text:1.0"><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
      }),
      'ods',
      wanted,
    )

  test('a cell repeated over the whole sheet', async () => {
    const { warnings, artifacts } = await ods(
      '<table:table table:name="T"><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384" office:value-type="float" office:value="1"><text:p>1</text:p></table:table-cell></table:table-row></table:table>',
      ['excel.csv'],
    )
    expect(warnings).toContain('excel.cells_cut')
    expect(artifacts['csv/T.csv']?.length).toBeLessThan(10_000_000)
  })

  test('repeats that are no numbers', async () => {
    const { artifacts, metrics } = await ods(
      '<table:table table:name="T"><table:table-row table:number-rows-repeated="-1"><table:table-cell table:number-columns-repeated="1e9x" office:value-type="string"><text:p>a</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>b</text:p></table:table-cell></table:table-row></table:table><table:table table:name="U"/>',
    )
    expect(artifacts['csv/T.csv']).toBe('a,b\r\n')
    expect(metrics).toEqual({ sheets: 2 })
  })
})
