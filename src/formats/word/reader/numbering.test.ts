import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { wordParts, zipParts } from '../../shared/ooxml/office-fixture.ts'
import { openPackage } from '../../shared/ooxml/open-package.ts'
import { readNumbering } from './numbering.ts'

const folder = await mkdtemp(join(tmpdir(), 'numbering-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const level = (index: number, format: string, text: string, more = '') =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`
const abstractList = (id: number, ...levels: string[]) =>
  `<w:abstractNum w:abstractNumId="${id}">${levels.join('')}</w:abstractNum>`
const list = (id: number, abstractId: number, override = '') =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${abstractId}"/>${override}</w:num>`

/** Labels of paragraphs given as `list/level`. */
const count = async (
  numbering: string,
  paragraphs: string,
  listOfStyle: (style: string) => number | undefined = () => undefined,
) => {
  const path = join(folder, 'a.docx')
  await writeFile(path, await zipParts(wordParts({ body: '', numbering })))
  const file = await openPackage({ path, name: 'a.docx', extension: 'docx', bytes: 1 })
  const lists = await readNumbering(file, 'word/numbering.xml', listOfStyle)
  file.close()
  return paragraphs.split(' ').map((given) => {
    const [id = 0, at = 0] = given.split('/').map(Number)
    return lists.advance(id, at)?.text
  })
}

const OUTLINE = abstractList(
  0,
  level(0, 'decimal', '%1.'),
  level(1, 'decimal', '%1.%2.'),
  level(2, 'lowerRoman', '(%3)'),
)

describe('readNumbering', () => {
  it('counts levels, and begins anew below each', async () => {
    expect(await count(OUTLINE + list(1, 0), '1/0 1/1 1/1 1/2 1/0 1/1')).toEqual([
      '1.',
      '1.1.',
      '1.2.',
      '(i)',
      '2.',
      '2.1.',
    ])
  })

  it('counts a level that was skipped as used', async () => {
    expect(await count(OUTLINE + list(1, 0), '1/0 1/0 1/2 1/1')).toEqual(['1.', '2.', '(i)', '2.2.'])
  })

  it('goes on in another list of the same kind, unless that says where to start', async () => {
    const restarted = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'
    const lists = OUTLINE + list(1, 0) + list(2, 0) + list(3, 0, restarted)
    expect(await count(lists, '1/0 2/0 3/0 3/0 1/0')).toEqual(['1.', '2.', '5.', '6.', '7.'])
  })

  it('does not restart a level that says so', async () => {
    const numbering =
      abstractList(0, level(0, 'upperLetter', '%1'), level(1, 'decimal', '%2', '<w:lvlRestart w:val="0"/>')) +
      list(1, 0)
    expect(await count(numbering, '1/0 1/1 1/0 1/1')).toEqual(['A', '1', 'B', '2'])
  })

  it('writes legal numbers in plain figures', async () => {
    const numbering =
      abstractList(0, level(0, 'upperRoman', 'Article %1.'), level(1, 'decimal', '%1.%2', '<w:isLgl/>')) + list(1, 0)
    expect(await count(numbering, '1/0 1/0 1/1')).toEqual(['Article I.', 'Article II.', '2.1'])
  })

  it('takes levels that a list sets itself, and lists behind a style', async () => {
    const own = `<w:lvlOverride w:ilvl="0">${level(0, 'lowerLetter', '%1)')}</w:lvlOverride>`
    const linked = '<w:abstractNum w:abstractNumId="7"><w:numStyleLink w:val="Outline"/></w:abstractNum>'
    const numbering = OUTLINE + linked + list(1, 0, own) + list(2, 7) + list(3, 0)
    expect(await count(numbering, '1/0 2/0', (style) => (style === 'Outline' ? 3 : undefined))).toEqual(['a)', '2.'])
  })

  it('has no label for lists and levels that are not there', async () => {
    expect(await count(OUTLINE + list(1, 0), '9/0 1/8 1/99')).toEqual([undefined, undefined, undefined])
  })
})
