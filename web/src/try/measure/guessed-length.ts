import { type Bytes, readLatin1 } from './bytes.ts'

const TAG_HEADER_BYTES = 10
const FRAME_BYTES = 256
/** More than any sound in this container takes: its clock was read from something else. */
const MAX_OGG_BYTES_PER_SECOND = 1_250_000

/**
 * Whether a player can only guess how long a sound is: the file has no clock, and no count of its frames. Then the
 * service counts them.
 */
export const isLengthGuessed = async (bytes: Bytes, seconds: number): Promise<boolean> => {
  const at = await skipTag(bytes)
  const frame = await bytes.read(at, Math.min(FRAME_BYTES, bytes.size - at))
  if (frame.byteLength < 4) return false
  if (readLatin1(frame, 0, 4) === 'OggS') return bytes.size / seconds > MAX_OGG_BYTES_PER_SECOND
  const isFrame = frame.getUint8(0) === 0xff && (frame.getUint8(1) & 0xe0) === 0xe0
  if (!isFrame) return false
  // Of the frames that begin alike, only MPEG audio has a place for a count; AAC has none.
  const isAac = (frame.getUint8(1) & 0x06) === 0
  return isAac || !/Xing|Info|VBRI/.test(readLatin1(frame))
}

/** Where the sound begins: after a tag, whose length is written in bytes of seven bits. */
const skipTag = async (bytes: Bytes): Promise<number> => {
  if (bytes.size < TAG_HEADER_BYTES) return 0
  const head = await bytes.read(0, TAG_HEADER_BYTES)
  if (readLatin1(head, 0, 3) !== 'ID3') return 0
  const length = [6, 7, 8, 9].reduce((sum, place) => sum * 128 + (head.getUint8(place) & 0x7f), 0)
  return Math.min(bytes.size, TAG_HEADER_BYTES + length)
}
