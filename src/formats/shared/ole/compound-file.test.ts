import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { type CompoundFile, openCompoundFile } from './compound-file.ts'
import { readSummary } from './property-set.ts'

const folder = mkdtempSync(join(tmpdir(), 'compound-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const SAMPLE = readFileSync(new URL('../../word/golden/doc/sample.doc', import.meta.url))

const withFile = <T>(bytes: Uint8Array, look: (file: CompoundFile) => T): T => {
  const path = join(folder, 'file')
  writeFileSync(path, bytes)
  const file = openCompoundFile(path)
  try {
    return look(file)
  } finally {
    file.close()
  }
}

/** By another reader of such files. */
const readWithSheetJs = async (bytes: Buffer): Promise<Map<string, Buffer>> => {
  const { CFB } = await import('@e965/xlsx')
  const file = CFB.read(bytes, { type: 'buffer' })
  const entries = file.FileIndex as { name: string; type: number; content: number[] }[]
  return new Map(
    entries.flatMap(({ name, type, content }, i): [string, Buffer][] =>
      type === 2 ? [[(file.FullPaths[i] ?? name).replace(/^Root Entry\//, ''), Buffer.from(content)]] : [],
    ),
  )
}

describe('a compound file', () => {
  it('gives the same streams as another reader, small ones and large ones', async () => {
    const { CFB } = await import('@e965/xlsx')
    const made = CFB.utils.cfb_new()
    for (const [name, bytes] of [
      ['small', 10],
      ['edge', 4_096],
      ['folder/large', 100_000],
      ['folder/inner/none', 0],
    ] as const) {
      CFB.utils.cfb_add(made, `/${name}`, Buffer.alloc(bytes, name))
    }
    for (const bytes of [SAMPLE, Buffer.from(CFB.write(made, { type: 'buffer' }) as Uint8Array)]) {
      const expected = await readWithSheetJs(bytes)
      expect(expected.size).toBeGreaterThan(3)
      withFile(bytes, (file) => {
        for (const [name, content] of expected) {
          const stream = file.open(name)
          expect(stream?.read(0, 1e6).equals(content), name).toBe(true)
          expect(stream?.read(3, 5).equals(content.subarray(3, 8)), name).toBe(true)
        }
      })
    }
  })

  it('has names in which case does not count', () => {
    withFile(SAMPLE, (file) => {
      expect(file.has('worddocument')).toBe(true)
      expect(file.open('WORDDOCUMENT')?.bytes).toBe(file.open('WordDocument')?.bytes)
      expect(file.open('nowhere')).toBe(undefined)
    })
  })

  it('that is broken anywhere ends in its failure or in less, never without end', () => {
    fc.assert(
      fc.property(fc.nat(SAMPLE.length - 1), fc.uint8Array({ minLength: 1, maxLength: 64 }), (at, damage) => {
        const bytes = Buffer.from(SAMPLE)
        bytes.set(damage.subarray(0, SAMPLE.length - at), at)
        try {
          withFile(bytes.subarray(0, SAMPLE.length - (at % 3) * 1_000), (file) => {
            for (const name of file.names) file.open(name)?.read(0, 1e6)
          })
        } catch (error) {
          expect(error).toMatchObject({ code: 'extract.source_unreadable' })
        }
      }),
      { numRuns: 300 },
    )
  })

  it('says what Office wrote about it', async () => {
    const path = join(folder, 'sample')
    writeFileSync(path, SAMPLE)
    const file = openCompoundFile(path)
    const { core } = await readSummary(file)
    file.close()
    expect(core).toMatchObject({ title: 'The quarry book', author: 'Ada Mason', created: '2024-01-02T03:04:05Z' })
  })
})
