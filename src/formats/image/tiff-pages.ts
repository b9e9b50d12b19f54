import { constants } from 'node:fs'
import { copyFile, type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Source } from '../../core/catalog.ts'
import type { PictureInput } from '../../engines/sharp.ts'
import { readWindowed } from './read-windowed.ts'

/** To find a page the decoder goes through all of the file's: below this many that costs less than a copy. */
const MIN_PAGES = 50

/** Where the directory of a page lies, and where in it the place of the next is told. */
type Directory = { at: number; nextAt: number }

/** How numbers are written in a TIFF: byte order, and the eight-byte addresses of BigTIFF. */
type Numbers = { isLittle: boolean; isBig: boolean }

/** The pages of a TIFF; each can be read until the next is asked for. */
export async function* readTiffPages(source: Source, context: Context, frames: number): AsyncGenerator<PictureInput> {
  const directories = frames < MIN_PAGES ? [] : await listDirectories(source, context)
  if (directories.length < frames) {
    for (let page = 0; page < frames; page++) yield { input: source.path, options: { page } }
    return
  }
  const input = join(context.scratch, 'tiff-page.tif')
  await copyFile(source.path, input, constants.COPYFILE_FICLONE)
  const file = await open(input, 'r+')
  try {
    const numbers = await readNumbers(file)
    for (const directory of directories.slice(0, frames)) {
      await showOnly(file, directory, numbers)
      yield { input }
    }
  } finally {
    await file.close()
    await rm(input, { force: true })
  }
}

const readNumbers = async (file: FileHandle): Promise<Numbers> => {
  const head = Buffer.alloc(4)
  await file.read(head, 0, 4, 0)
  const isLittle = head[0] === 0x49
  return { isLittle, isBig: (isLittle ? head[2] : head[3]) === 0x2b }
}

/** Makes a page the first and last of the file. */
const showOnly = async (file: FileHandle, { at, nextAt }: Directory, numbers: Numbers): Promise<void> => {
  const address = (value: number): Buffer => {
    const bytes = Buffer.alloc(numbers.isBig ? 8 : 4)
    if (numbers.isLittle) bytes.writeUIntLE(value, 0, numbers.isBig ? 6 : 4)
    else bytes.writeUIntBE(value, numbers.isBig ? 2 : 0, numbers.isBig ? 6 : 4)
    return bytes
  }
  for (const [place, value] of [
    [numbers.isBig ? 8 : 4, at],
    [nextAt, 0],
  ] as const) {
    const bytes = address(value)
    await file.write(bytes, 0, bytes.length, place)
  }
}

/** Follows the chain of directories up to its end, or to one that was seen before. */
export const listDirectories = async (source: Source, context: Context): Promise<Directory[]> => {
  const file = await open(source.path)
  try {
    const { isLittle, isBig } = await readNumbers(file)
    const read = readWindowed(file, source.bytes)
    const readNumber = async (at: number, bytes: number): Promise<number | undefined> => {
      const found = await read(at, bytes)
      if (found.length < bytes) return undefined
      // Addresses over 48 bits are past the end of any file.
      const used = Math.min(bytes, 6)
      return isLittle ? found.readUIntLE(0, used) : found.readUIntBE(bytes - used, used)
    }
    const [addressBytes, countBytes, entryBytes] = isBig ? [8, 8, 20] : [4, 2, 12]
    const directories = new Map<number, Directory>()
    let at = await readNumber(isBig ? 8 : 4, addressBytes)
    while (at && !directories.has(at)) {
      context.signal.throwIfAborted()
      const nextAt: number = at + countBytes + ((await readNumber(at, countBytes)) ?? source.bytes) * entryBytes
      const next = await readNumber(nextAt, addressBytes)
      // Without its end the directory itself is cut off.
      if (next === undefined) break
      directories.set(at, { at, nextAt })
      at = next
    }
    return [...directories.values()]
  } finally {
    await file.close()
  }
}
