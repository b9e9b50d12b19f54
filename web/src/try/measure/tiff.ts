import type { Bytes } from './bytes.ts'

const BIG = 0x2b

/** Pages of a TIFF: the directories of its chain; undefined where the chain breaks off. */
export const countTiffPages = async (bytes: Bytes): Promise<number | undefined> => {
  const head = await bytes.read(0, 8)
  const isLittle = head.getUint8(0) === 0x49
  const isBig = head.getUint16(2, isLittle) === BIG
  const readAddress = async (at: number): Promise<number> =>
    isBig
      ? Number((await bytes.read(at, 8)).getBigUint64(0, isLittle))
      : (await bytes.read(at, 4)).getUint32(0, isLittle)
  const seen = new Set<number>()
  for (let at = await readAddress(isBig ? 8 : 4); at !== 0; ) {
    if (seen.has(at)) return undefined
    seen.add(at)
    const entries = isBig
      ? Number((await bytes.read(at, 8)).getBigUint64(0, isLittle))
      : (await bytes.read(at, 2)).getUint16(0, isLittle)
    at = await readAddress(at + (isBig ? 8 + entries * 20 : 2 + entries * 12))
  }
  return seen.size > 0 ? seen.size : undefined
}
