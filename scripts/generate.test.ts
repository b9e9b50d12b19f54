import { expect, test } from 'vitest'
import { findStalePages } from './generate.ts'

test('the reference pages say what the code says (else: npm run generate)', async () => {
  expect(await findStalePages(new URL('../', import.meta.url))).toEqual([])
})
