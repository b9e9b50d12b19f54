import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonPrinter } from './json-printer.ts'
import { JsonScanner } from './json-scanner.ts'
import { type Tree, TreeBuilder, writeCompact } from './tree.ts'

const print = (text: string, size: number, style: 'pretty' | 'compact' = 'pretty'): string => {
  const printer = new JsonPrinter(style)
  const scanner = new JsonScanner(printer)
  for (let at = 0; at < text.length; at += size) scanner.write(text.slice(at, at + size))
  scanner.end()
  return printer.take()
}

describe('JsonScanner', () => {
  it('prints any JSON as JSON.stringify does, however it is cut', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 1, max: 7 }), (text, size) => {
        const value: unknown = JSON.parse(text)
        const duplicateFree = JSON.stringify(value)
        expect(print(duplicateFree, size)).toBe(JSON.stringify(value, null, 2))
        expect(print(JSON.stringify(value, null, 3), size, 'compact')).toBe(duplicateFree)
      }),
      { numRuns: 300 },
    )
  })

  it('accepts exactly what JSON.parse accepts, apart from what it lets through on purpose', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'{}[],:"\\0123e-.truefalsn u'.split('')), maxLength: 12 }),
        (text) => {
          const scanner = new JsonScanner({ open() {}, close() {}, key() {}, scalar() {} })
          let strict = true
          let ours = true
          try {
            JSON.parse(text)
          } catch {
            strict = false
          }
          try {
            scanner.write(text)
            scanner.end()
          } catch {
            ours = false
          }
          if (strict) expect(ours).toBe(true)
          else if (ours) expect(scanner.relaxed || scanner.roots !== 1).toBe(true)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it.each(['{"a":1,}', '// note\n[1]', '/* a */ {} /* b */', '[NaN, -Infinity]', '["tab\there"]'])(
    'lets %j through as relaxed',
    (text) => {
      const scanner = new JsonScanner(new JsonPrinter('compact'))
      for (const character of text) scanner.write(character)
      scanner.end()
      expect(scanner.relaxed).toBe(true)
    },
  )

  it.each([
    ['{"a" 1}', 1, 6],
    ['[1,\n 2 3]', 2, 4],
    ['["\\x"]', 1, 6],
    ['[01]', 1, 2],
    ['{"a":1', 1, 7],
  ])('says where %j is wrong', (text, line, column) => {
    const scanner = new JsonScanner(new JsonPrinter('compact'))
    const run = () => {
      scanner.write(text)
      scanner.end()
    }
    expect(run).toThrow(expect.objectContaining({ name: 'Malformed', line, column }))
  })

  it.each([
    ['[{"a":1},{"b":"un', '[{"a": 1}, {"b": null}]'],
    ['{"a":[1,2', '{"a": [1]}'],
    ['{"a":1,"b', '{"a": 1}'],
    ['{"a":1,', '{"a": 1}'],
  ])('closes %j where it breaks off', (text, whole) => {
    const trees: Tree[] = []
    const scanner = new JsonScanner(new TreeBuilder((tree) => trees.push(tree)), true)
    scanner.write(text)
    scanner.end()
    expect(scanner.truncated).toBe(true)
    expect(trees.map(writeCompact)).toEqual([whole])
  })
})
