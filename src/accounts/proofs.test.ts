import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkProof, makeProof } from './proofs.ts'

const KEY = randomBytes(32)
const [JOB, OTHER] = ['a'.repeat(32), 'b'.repeat(32)]
const END = new Date('2031-01-01T00:00:00Z')
const BEFORE = new Date('2030-12-31T23:59:59Z')

test('a proof is of one job, until its end, under one key', () => {
  const proof = makeProof(KEY, JOB, END)
  expect(checkProof(KEY, JOB, proof, BEFORE)).toBe(true)
  expect(checkProof(KEY, JOB, proof, END)).toBe(false)
  expect(checkProof(KEY, OTHER, proof, BEFORE)).toBe(false)
  expect(checkProof(randomBytes(32), JOB, proof, BEFORE)).toBe(false)
})

test('nothing of a proof can be changed', () => {
  const [version = '', expires = '', signature = ''] = makeProof(KEY, JOB, END).split('.')
  const forged = [
    '',
    version,
    `${version}.${expires}`,
    `${version}.${expires}.`,
    `${version}.${Number(expires) + 60}.${signature}`,
    `${version}.0${expires}.${signature}`,
    `v2.${expires}.${signature}`,
    `${version}.${expires}.${signature}.more`,
    `${version}.${expires}.${signature.slice(0, -1)}`,
    `${version}.${expires}.${signature}A`,
    `${version}.1e99.${signature}`,
  ]
  for (const proof of forged) expect(checkProof(KEY, JOB, proof, BEFORE), proof).toBe(false)
})
