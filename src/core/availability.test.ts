import { expect, it } from 'vitest'
import { defineCapability, defineFormat } from './catalog.ts'
import { isAvailable } from './discovery.ts'

it('is asked only of the extensions that need a tool', () => {
  const tool = { name: 'chisel', command: 'chisel', versionArgs: [], debianPackage: 'chisel', purpose: 'cuts' }
  const text = defineCapability({
    id: 'stone.text',
    output: 'text',
    defaultSelected: true,
    options: {},
    async *extract() {},
  })
  const format = defineFormat({
    name: 'stone',
    category: 'stone',
    pool: 'document',
    extensions: ['new', 'old'],
    mimeTypes: {},
    price: [{ metric: 'megabytes', per: 5 }],
    accepts: [],
    tools: [{ ...tool, extensions: ['old'] }],
    capabilities: [text],
  })
  const answers = ['new', 'old', null].map((extension) => isAvailable(format, text, extension, () => false))
  expect(answers).toEqual([true, false, true])
  expect(isAvailable(format, { ...text, tools: [tool] }, 'new', () => false)).toBe(false)
})
