import type { CompoundFile } from '../../shared/ole/compound-file.ts'

/** What the first bytes of a Word document of 6.0 to 2003 say. */
export type FileHeader = { version: 6 | 95 | 97; isEncrypted: boolean; characters: number }

const HEADER_BYTES = 128
const [WORD_6, WORD_97] = [101, 105]
const ENCRYPTED = 0x0100

/** Reads the head of the stream that holds the text; undefined where there is none. */
export const readFileHeader = (file: CompoundFile): FileHeader | undefined => {
  const head = file.open('WordDocument')?.read(0, HEADER_BYTES)
  if (!head || head.length < HEADER_BYTES) return undefined
  const fib = head.readUInt16LE(2)
  const version = fib >= WORD_97 ? 97 : fib > WORD_6 ? 95 : 6
  return {
    version,
    isEncrypted: (head.readUInt16LE(10) & ENCRYPTED) !== 0,
    characters: head.readUInt32LE(version === 97 ? 0x4c : 0x34),
  }
}
