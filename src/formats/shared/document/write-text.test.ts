import { describe, expect, it } from 'vitest'
import { cell, documentOf, heading, item, paragraph, styled, table } from './document-fixture.ts'
import type { Block, DocumentModel } from './model.ts'
import { type TextOptions, writeText } from './write-text.ts'

const write = (blocks: readonly Block[], more: Partial<DocumentModel> = {}, options: TextOptions = {}): string =>
  [...writeText(documentOf(blocks, more), options)].join('')

describe('writeText', () => {
  it('writes a line per paragraph and item', () => {
    const blocks = [
      heading(1, 'Title'),
      paragraph([styled('Bold ', { bold: true }), styled('and 10'), styled('2', { script: 'super' })]),
      item('•', 'one'),
      item('(a)', 'sub', { depth: 1, more: [paragraph('more')] }),
      item('\uf0b7', 'two'),
      paragraph('*end*'),
    ]
    expect(write(blocks)).toBe('Title\n\nBold and 10²\n\n• one\n  (a) sub\n    more\n• two\n\n*end*\n')
  })

  it('parts cells by tabs, or pads them to columns', () => {
    const merged = table([['Name', 'Count'], ['漢字', '1'], [cell('both', { columnSpan: 2 })]])
    expect(write([merged])).toBe('Name\tCount\n漢字\t1\nboth\n')
    expect(write([merged], {}, { tableLayout: 'aligned' })).toBe('Name  Count\n漢字  1\nboth\n')
  })

  it('parts pages by form feeds, empty ones too, with their notes at their ends', () => {
    const blocks = [paragraph([styled('one'), { kind: 'note', id: 'n' }], 1), paragraph('three', 3)]
    const more: Partial<DocumentModel> = {
      pages: [{ number: 1 }, { number: 2 }, { number: 3 }],
      notes: [{ id: 'n', kind: 'footnote', label: '*', page: 1, blocks: [paragraph('A note.')] }],
    }
    expect(write(blocks, more)).toBe('one[*]\n\n[*] A note.\n\f\fthree\n')
    expect(write(blocks, more, { pageBreaks: 'line' })).toBe(
      '--- page 1 ---\n\none[*]\n\n[*] A note.\n\n--- page 2 ---\n\n--- page 3 ---\n\nthree\n',
    )
    expect(write(blocks, more, { pageBreaks: 'none' })).toBe('one[*]\n\nthree\n\n[*] A note.\n')
  })

  it('parts pages that the author began, only between texts', () => {
    const blank: Block = { kind: 'page-break' }
    const blocks = [blank, paragraph('one'), blank, blank, paragraph('two'), paragraph('three'), blank]
    expect(write(blocks)).toBe('one\n\ftwo\n\nthree\n')
    expect(write(blocks, {}, { pageBreaks: 'line' })).toBe('one\n\n--- new page ---\n\ntwo\n\nthree\n')
    expect(write(blocks, {}, { pageBreaks: 'none' })).toBe('one\n\ntwo\n\nthree\n')
  })
})
