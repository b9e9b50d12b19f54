import { expect, it } from 'vitest'
import { createRecordReader } from './seven-zip.ts'

const LISTING = `
7-Zip 26.02

Listing archive: a.zip

--
Path = a.zip
Type = zip
Comment =
{
two
Path = no member
}
Solid = -

----------
Path = a = b.txt
Size = 3
CRC =

Path = ü.txt
Size = 4


Errors: 1
`

it.each([1, 7, 10_000])('reads a listing that comes in pieces of %i bytes', (length) => {
  const found: [boolean, Record<string, string>][] = []
  const reader = createRecordReader((record, isMember) => found.push([isMember, Object.fromEntries(record)]))
  const bytes = Buffer.from(LISTING)
  for (let at = 0; at < bytes.length; at += length) reader.write(bytes.subarray(at, at + length))
  reader.end()
  expect(found).toEqual([
    [false, { Path: 'a.zip', Type: 'zip', Comment: 'two\nPath = no member', Solid: '-' }],
    [true, { Path: 'a = b.txt', Size: '3', CRC: '' }],
    [true, { Path: 'ü.txt', Size: '4' }],
  ])
})
