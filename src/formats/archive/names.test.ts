import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { decodeNames, showName, staysInside, toArtifactName } from './names.ts'

describe('decodeNames', () => {
  it.each([
    ['cp866', ['Отчёт за год.doc', 'Договор/приложение.pdf']],
    ['windows-1251', ['Отчёт.doc', 'Новая папка/файл.txt']],
    ['gb18030', ['新建文件夹/文档.txt', '年度报告.docx']],
    ['big5', ['新增資料夾/測試檔案.txt']],
    ['shift_jis', ['新しいフォルダー/テスト.txt']],
    ['shift_jis', ['東京都.pdf']],
    ['euc-kr', ['새 폴더/보고서.hwp']],
    ['cp437', ['Übersicht/Größe.txt', 'café.txt']],
    ['cp850', ['Ação.txt', 'São Paulo.doc']],
    ['windows-1252', ['Résumé.pdf', 'Größe.txt']],
  ])('guesses %s', async (encoding, names) => {
    const bytes = names.map((name) => iconv.encode(name, encoding))
    expect(await decodeNames([...bytes, Buffer.from('plain.txt')])).toEqual({
      names: [...names, 'plain.txt'],
      encoding,
    })
  })

  it('takes what is valid UTF-8 for that', async () => {
    expect(await decodeNames([Buffer.from('日本語.txt')])).toEqual({ names: ['日本語.txt'], encoding: undefined })
  })
})

it.each([
  ['a/b.txt', true],
  ['./a.txt', true],
  ['a..b/c..', true],
  ['/etc/passwd', false],
  ['../up', false],
  ['a/../../b', false],
  ['a\\..\\b', false],
  ['\\\\host\\share', false],
  ['C:/windows', false],
  ['..', false],
  ['', false],
  ['a\0b', false],
])('says whether %j stays inside', (name, inside) => {
  expect(staysInside(name)).toBe(inside)
})

it('spells out what could deceive the eye', () => {
  expect(showName('a\nb\u001b[31m\u202egpj.exe é')).toBe('a\\u{a}b\\u{1b}[31m\\u{202e}gpj.exe é')
})

it('keeps the ends of a path with very many folders', () => {
  const name = toArtifactName(`first/${'d/'.repeat(3_000)}last.txt`)
  expect(name.split('/')).toHaveLength(32)
  expect(name).toMatch(/^first\/d\/.*\/last\.txt$/)
})
