import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Context } from '../../../core/catalog.ts'
import { countRtf } from './count-rtf.ts'

const folder = mkdtempSync(join(tmpdir(), 'rtf-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const context: Context = {
  signal: new AbortController().signal,
  selected: new Set(),
  scratch: folder,
  progress: () => {},
  warn: () => {},
}
const count = (text: string) => {
  const path = join(folder, 'source.rtf')
  writeFileSync(path, text, 'latin1')
  return countRtf({ path, name: 'a.rtf', extension: 'rtf', bytes: text.length }, context)
}

describe('the length of RTF', () => {
  it.each([
    ['{\\rtf1 abc\\par}', 3],
    ["{\\rtf1 {\\fonttbl{\\f0 Arial;}}{\\*\\generator X;}caf\\'e9 \\u8364?5}", 8],
    ['{\\rtf1{\\pict 0102030405}{\\header top}{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt link}}}', 4],
  ])('is that of its text: %s', async (text, characters) => {
    expect((await count(text)).characters).toBe(characters)
  })

  it('is what it says, where it says it', async () => {
    expect((await count('{\\rtf1{\\info{\\nofpages12}{\\nofchars9}}text}')).statedPages).toBe(12)
  })

  it('does not depend on where pieces of the file end', async () => {
    const paragraph = "{\\b Wort f\\'fcr} Wort\\par\n"
    const { characters } = await count(`{\\rtf1 ${paragraph.repeat(40_000)}}`)
    expect(characters).toBe(13 * 40_000)
  })
})
