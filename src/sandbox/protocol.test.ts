import { describe, expect, test } from 'vitest'
import { createLineReader, encodeMessage, parseChildMessage } from './protocol.ts'

describe('createLineReader', () => {
  const readAll = (chunks: string[], maxLineBytes = 100): string[] => {
    const lines: string[] = []
    const read = createLineReader(maxLineBytes, (line) => lines.push(line))
    for (const chunk of chunks) read(Buffer.from(chunk))
    return lines
  }

  test('cuts lines wherever the chunks end', () => {
    expect(readAll(['on', 'e\ntwo\nth', 'ree', '\n', 'rest'])).toEqual(['one', 'two', 'three'])
  })

  test('keeps characters that a chunk cuts in two', () => {
    const bytes = Buffer.from('größe\n')
    const lines: string[] = []
    const read = createLineReader(100, (line) => lines.push(line))
    for (const byte of bytes) read(Buffer.from([byte]))
    expect(lines).toEqual(['größe'])
  })

  test('refuses a line that is too long, ended or not', () => {
    expect(() => readAll(['123456\n'], 5)).toThrow('a line of more than 5 bytes')
    expect(() => readAll(['123', '456'], 5)).toThrow('a line of more than 5 bytes')
    expect(readAll(['12345\n'], 5)).toEqual(['12345'])
  })
})

describe('parseChildMessage', () => {
  const artifact = {
    type: 'artifact' as const,
    file: '12',
    path: 'text/a.txt',
    mediaType: 'text/plain; charset=utf-8',
    capabilityId: 'text.text',
    provenance: { page: 2 },
  }
  const usage = { cpuSeconds: 0.1, peakMemoryBytes: 1 }

  test('gives back what was said', () => {
    for (const message of [
      { type: 'ready' as const },
      { type: 'progress' as const, percent: 12, phase: 'text.text' },
      artifact,
      { type: 'measured' as const, metrics: { pages: 3, durationSeconds: 1.5 }, usage, residents: [] },
      { type: 'done' as const, engines: [{ name: 'a', version: '1' }], usage, residents: [12, 13] },
    ]) {
      expect(parseChildMessage(encodeMessage(message))).toEqual(message)
    }
  })

  test('drops fields that nobody knows', () => {
    const said = { ...artifact, extra: 1, provenance: { page: 1, extra: 1 } }
    expect(parseChildMessage(JSON.stringify(said))).toEqual({ ...artifact, provenance: { page: 1 } })
  })

  test.each([
    ['not JSON', 'garbage'],
    ['a list', '[]'],
    ['an unknown type', '{"type":"hello"}'],
    ['a path as a file name', JSON.stringify({ ...artifact, file: '../1' })],
    ['a name that is no number', JSON.stringify({ ...artifact, file: 'scratch' })],
    ['a media type with a line break', JSON.stringify({ ...artifact, mediaType: 'text/plain\r\nX: y' })],
    ['a path of a megabyte', JSON.stringify({ ...artifact, path: 'a'.repeat(1e6) })],
    ['a provenance of the wrong type', JSON.stringify({ ...artifact, provenance: { page: {} } })],
    ['a negative metric', JSON.stringify({ type: 'measured', metrics: { pages: -1 }, usage, residents: [] })],
    ['half a page', JSON.stringify({ type: 'measured', metrics: { pages: 0.5 }, usage, residents: [] })],
    ['no residents', JSON.stringify({ type: 'measured', metrics: {}, usage })],
    ['residents that are no ids', JSON.stringify({ type: 'measured', metrics: {}, usage, residents: ['self'] })],
    [
      'an infinite metric',
      `{"type":"measured","metrics":{"pages":1e999},"usage":${JSON.stringify(usage)},"residents":[]}`,
    ],
    ['an unknown failure', JSON.stringify({ type: 'failed', code: 'internal', params: {}, cause: '' })],
    ['a warning code with markup', JSON.stringify({ type: 'warning', code: '<b>', capabilityId: 'a', detail: 'b' })],
  ])('refuses %s', (_what, line) => {
    expect(() => parseChildMessage(line)).toThrow()
  })
})
