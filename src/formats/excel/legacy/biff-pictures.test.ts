import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { findBiffPictures } from './biff-pictures.ts'

const escher = (type: number, instance: number, content: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt16LE(instance << 4, 0)
  head.writeUInt16LE(type, 2)
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content])
}
const entry = (blip: Buffer): Buffer => escher(0xf007, 0, Buffer.concat([Buffer.alloc(36), blip]))
const record = (type: number, content: Buffer): Buffer => {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(type, 0)
  head.writeUInt16LE(content.length, 2)
  return Buffer.concat([head, content])
}
const read = async (stream: Buffer) => {
  const found: string[] = []
  for (const { part, mediaType, read: content } of findBiffPictures(stream)) {
    for await (const piece of content()) found.push(`${part} ${mediaType} ${Buffer.from(piece).toString()}`)
  }
  return found
}

const png = entry(escher(0xf01e, 0x6e0, Buffer.concat([Buffer.alloc(17), Buffer.from('a png')])))
const jpegWithTwoIds = entry(escher(0xf01d, 0x46b, Buffer.concat([Buffer.alloc(33), Buffer.from('a jpeg')])))
const emf = entry(escher(0xf01a, 0x3d4, Buffer.concat([Buffer.alloc(50), deflateSync('a drawing')])))
const store = escher(0xf000, 0, escher(0xf001, 3, Buffer.concat([png, jpegWithTwoIds, emf])))
const PICTURES = ['image1.png image/png a png', 'image2.jpg image/jpeg a jpeg', 'image3.emf image/emf a drawing']

test('pictures of the store, also where it is cut into several records', async () => {
  expect(await read(record(0xeb, store))).toEqual(PICTURES)
  const [first, rest] = [store.subarray(0, 50), store.subarray(50)]
  const stream = Buffer.concat([
    record(0x809, Buffer.alloc(4)),
    record(0xeb, first),
    record(0x3c, rest),
    record(0x0a, rest),
  ])
  expect(await read(stream)).toEqual(PICTURES)
})

test('lengths that lie', async () => {
  const lying = Buffer.from(store)
  lying.writeUInt32LE(0xffffffff, 4)
  expect(await read(record(0xeb, lying))).toEqual(PICTURES)
  expect(await read(record(0xeb, store.subarray(0, 70)))).toEqual([])
  expect(await read(Buffer.from([0xeb, 0, 255, 255, 1, 2, 3]))).toEqual([])
})
