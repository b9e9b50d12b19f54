import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Transcript } from '../model.ts'
import { chooseFonts } from './pdf-fonts.ts'
import { segmentOf, transcriptOf, transcriptOfLines } from './transcript-fixture.ts'
import { writeDocx } from './write-docx.ts'
import { writeEpub } from './write-epub.ts'
import { writePdf } from './write-pdf.ts'

const folder = mkdtempSync(join(tmpdir(), 'transcripts-'))
const workspace = join(folder, 'empty')
mkdirSync(workspace)
afterAll(() => rmSync(folder, { recursive: true }))

const HOSTILE =
  '#sys.version #import "@preview/x:1.0.0" ] } \\ $x$ "q" *b* _i_ `c` @ref <label> // c /* d */ https://a.b'
const SCRIPTS = transcriptOfLines([
  ['Speaker 1', HOSTILE],
  ['Speaker 2', 'Ça va? Łódź, naïve façade, Tiếng Việt.'],
  ['Speaker 1', 'Привет, мир. Объём работ.'],
  ['Speaker 2', 'Γειά σου, κόσμε.'],
  ['Speaker 1', 'مرحبا بكم في مدرسة كبيرة.'],
  ['Speaker 2', 'שלום לכולם וברוכים הבאים.'],
  ['Speaker 1', '今天我们讨论新产品的发布计划。'],
  ['Speaker 2', 'よろしくお願いします。'],
  ['Speaker 1', '안녕하세요. 회의를 시작하겠습니다.'],
])
const LONG = transcriptOf(
  Array.from({ length: 120 }, (_, index) =>
    segmentOf(
      index + 1,
      [index * 30, index * 30 + 5],
      `Sentence number ${index + 1} <of> many & more.`,
      `Speaker ${(index % 3) + 1}`,
    ),
  ),
)
const ARABIC = transcriptOfLines(
  [
    ['Speaker 1', 'مرحبا بكم في مدرسة كبيرة.'],
    ['Speaker 2', 'This one is in English.'],
  ],
  'ar',
)

const write = (name: string, bytes: Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}
const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: 'pipe' })
const part = (path: string, name: string): string => run('unzip', '-p', path, name)
const squeeze = (text: string): string =>
  text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '').replace(/\s+/g, ' ')

describe('writePdf', () => {
  const pdf = async (transcript: Transcript, title: string): Promise<string> =>
    write('transcript.pdf', await writePdf(transcript, { title, workspace }))

  it('is read back in every script, and nothing that was said is taken for markup', async () => {
    const text = squeeze(run('pdftotext', '-raw', await pdf(SCRIPTS, `Title ${HOSTILE}`), '-'))
    expect(text).toContain(`Title ${HOSTILE}`)
    for (const { text: said } of SCRIPTS.segments) {
      for (const word of said.split(' ')) expect(text).toContain(word.replace(/\.$/, ''))
    }
    expect(text).toContain(HOSTILE)
    expect(text).toContain('今天我们讨论新产品的发布计划。')
    expect(text).toContain('Speaker 1 00:00:00')
  })

  it('has numbered pages, an outline by time, a title and a language', async () => {
    const path = await pdf(LONG, 'A long talk')
    expect(run('pdfinfo', path)).toMatch(/Title: +A long talk\n[\s\S]*Pages: +(?:[4-9]|1\d)\n/)
    expect(run('pdftotext', '-f', '2', '-l', '2', path, '-').trimEnd()).toMatch(/\n2$/)
    const outline = run('qpdf', '--json', '--json-key=outlines', path)
    expect(outline.match(/"title": "[^"]*"/g)).toEqual(
      Array.from(
        { length: 6 },
        (_, index) => `"title": "00:${index}0:00 – ${index === 5 ? '00:59:35' : `00:${index + 1}0:00`}"`,
      ),
    )
    expect(run('qpdf', '--json', '--json-key=qpdf', path)).toContain('"/Lang": "u:en"')
  })

  it('sets Arabic from the right', async () => {
    const boxes = run('pdftotext', '-bbox', await pdf(ARABIC, 'x'), '-')
    const left = (word: string) => Number(new RegExp(`xMin="([\\d.]+)"[^>]*>[^<]*${word}`).exec(boxes)?.[1])
    const turn = (word: string) => [...word].reverse().join('')
    expect(left(turn('مرحبا'))).toBeGreaterThan(left(turn('كبيرة')))
    expect(left(turn('مرحبا'))).toBeGreaterThan(400)
    expect(left('This')).toBeLessThan(100)
  })

  it('takes the shapes of Han characters from the language, and only the fonts that are needed', () => {
    const families = (text: string, language: string) => chooseFonts(text, language).map(({ family }) => family)
    expect(families('plain Ελληνικά кириллица', 'en')).toEqual(['Noto Sans'])
    expect(families('直角', 'zh-TW')).toEqual(['Noto Sans', 'Noto Sans S Chinese'])
    expect(families('直角', 'ja')).toEqual(['Noto Sans', 'Noto Sans Japanese', 'Noto Sans S Chinese'])
    expect(families('직각 直角', 'ko')).toEqual(['Noto Sans', 'Noto Sans Korean', 'Noto Sans S Chinese'])
    expect(families('よろしく。', 'ja')).toEqual(['Noto Sans', 'Noto Sans Japanese'])
    expect(families('שלום مرحبا', 'he')).toEqual(['Noto Sans', 'Noto Naskh Arabic', 'Noto Sans Hebrew'])
  })

  it('sets more turns than anybody takes a line each', async () => {
    const turns = Array.from({ length: 6_100 }, (_, index) =>
      segmentOf(index + 1, [index * 2, index * 2 + 1], `Turn ${index}.`, `Speaker ${index % 2}`),
    )
    const text = run('pdftotext', '-layout', await pdf(transcriptOf(turns), 'x'), '-')
    expect(text.match(/^[\f ]*Speaker [01] \d\d:\d\d:\d\d Turn \d+\.$/gm)).toHaveLength(6_100)
  })

  it('is the same file each time', async () => {
    const options = { title: 'Same', workspace }
    expect(await writePdf(SCRIPTS, options)).toEqual(await writePdf(SCRIPTS, options))
  })

  it('can be written where nothing was said', async () => {
    expect(run('pdftotext', await pdf(transcriptOf([]), 'Silence'), '-')).toContain('Silence')
  })
})

describe('writeDocx', () => {
  it('opens in LibreOffice with every word', async () => {
    const path = write('transcript.docx', await writeDocx(SCRIPTS, { title: `Title ${HOSTILE}` }))
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
    run('soffice', profile, '--headless', '--convert-to', 'txt:Text (encoded):UTF8', '--outdir', folder, path)
    const text = squeeze(readFileSync(join(folder, 'transcript.txt'), 'utf8'))
    expect(text).toContain(`Title ${HOSTILE} Speaker 1 00:00:00 ${HOSTILE} Speaker 2`)
    for (const { text: said } of SCRIPTS.segments) expect(text).toContain(said)
  })

  it('has headings, a title, a language, and fonts for Japanese', async () => {
    const path = write('long.docx', await writeDocx({ ...LONG, language: 'ja' }, { title: 'A <long> talk' }))
    expect(part(path, 'docProps/core.xml')).toMatch(/<dc:title>A &lt;long&gt; talk<\/dc:title><dc:language>ja</)
    expect(part(path, 'word/document.xml').match(/<w:pStyle w:val="Heading1"\/>/g)).toHaveLength(6)
    expect(part(path, 'word/styles.xml')).toMatch(/w:eastAsia="Yu Gothic"[\s\S]*<w:lang w:val="ja"/)
  })

  it('turns only the paragraphs that run from right to left', async () => {
    const path = write('arabic.docx', await writeDocx(ARABIC, { title: 'x' }))
    const paragraphs = part(path, 'word/document.xml').match(/<w:p>.*<\/w:p>/g) ?? []
    expect(paragraphs.map((text) => text.includes('<w:bidi/>'))).toEqual([false, true, true, false, false])
    expect(paragraphs[2]).toContain('<w:rtl/>')
  })

  it('is the same file each time', async () => {
    expect(await writeDocx(LONG, { title: 'Same' })).toEqual(await writeDocx(LONG, { title: 'Same' }))
  })
})

describe('writeEpub', () => {
  // Debian installs the program as a jar that only some shells start.
  const check = (path: string): string =>
    run('java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-jar', '/usr/bin/epubcheck', '--failonwarnings', path)

  it('passes epubcheck and is navigated by time', async () => {
    const path = write('long.epub', await writeEpub(LONG, { title: 'A <long> & "quoted" talk' }))
    expect(check(path)).toContain('0 fatals / 0 errors / 0 warnings')
    expect(part(path, 'EPUB/nav.xhtml').match(/<li>.*<\/li>/g)?.[1]).toBe(
      '<li><a href="part-002.xhtml">00:10:00 – 00:20:00</a></li>',
    )
    expect(part(path, 'EPUB/part-001.xhtml')).toContain('<p>Sentence number 1 &lt;of&gt; many &amp; more.</p>')
  })

  it('turns its pages to the left in Arabic', async () => {
    const path = write('arabic.epub', await writeEpub(ARABIC, { title: 'x' }))
    expect(check(path)).toContain('0 fatals / 0 errors / 0 warnings')
    expect(part(path, 'EPUB/package.opf')).toContain('<spine page-progression-direction="rtl">')
    expect(part(path, 'EPUB/part-001.xhtml')).toMatch(/xml:lang="ar" dir="rtl"[\s\S]*<p dir="ltr">This one/)
  })

  it('is the same file each time, with an identifier of its own', async () => {
    const one = await writeEpub(LONG, { title: 'Same' })
    expect(one).toEqual(await writeEpub(LONG, { title: 'Same' }))
    const id = (path: string) => /urn:uuid:[0-9a-f-]{36}/.exec(part(path, 'EPUB/package.opf'))?.[0]
    expect(id(write('one.epub', one))).not.toBe(id(write('two.epub', await writeEpub(ARABIC, { title: 'Same' }))))
  })
})
