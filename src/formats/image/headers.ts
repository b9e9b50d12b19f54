/** What the headers say of kinds that sharp does not read. */
export type HeaderFacts = {
  width: number
  height: number
  bitsPerChannel?: number
  channels?: number
  isGray?: boolean
}

const CORE_HEADER_BYTES = 12

/** Size and depth of a bitmap. */
export const readBmpHeader = (head: Buffer): HeaderFacts | undefined => {
  if (head.length < 30) return undefined
  const isCore = head.readUInt32LE(14) === CORE_HEADER_BYTES
  const width = isCore ? head.readUInt16LE(18) : Math.abs(head.readInt32LE(18))
  const height = isCore ? head.readUInt16LE(20) : Math.abs(head.readInt32LE(22))
  const bitsPerPixel = head.readUInt16LE(isCore ? 24 : 28)
  const bitsPerChannel = bitsPerPixel === 16 ? 5 : 8
  return { width, height, bitsPerChannel, channels: bitsPerPixel === 32 ? 4 : 3 }
}

const PSD_GRAY_MODES = [0, 1, 8]

/** Size and depth of a Photoshop document. */
export const readPsdHeader = (head: Buffer): HeaderFacts | undefined => {
  if (head.length < 26) return undefined
  const isGray = PSD_GRAY_MODES.includes(head.readUInt16BE(24))
  return {
    height: head.readUInt32BE(14),
    width: head.readUInt32BE(18),
    channels: head.readUInt16BE(12),
    bitsPerChannel: head.readUInt16BE(22),
    isGray,
  }
}

const IMAGE_HEADER_BOX = 'ihdr'
const SIZE_MARKER = Buffer.from('ff4fff51', 'hex')

/** Size and depth of JPEG 2000, in its container or as a bare codestream. */
export const readJpeg2000Header = (head: Buffer): HeaderFacts | undefined => {
  const box = head.indexOf(IMAGE_HEADER_BOX, 0, 'latin1') + IMAGE_HEADER_BOX.length
  if (box >= IMAGE_HEADER_BOX.length && box + 11 <= head.length) {
    const channels = head.readUInt16BE(box + 8)
    const depth = head.readUInt8(box + 10)
    return {
      width: head.readUInt32BE(box + 4),
      height: head.readUInt32BE(box),
      channels,
      // 255 stands for "each channel its own".
      ...(depth === 255 ? {} : { bitsPerChannel: (depth & 0x7f) + 1 }),
      isGray: channels < 3,
    }
  }
  const at = head.indexOf(SIZE_MARKER)
  if (at < 0 || at + 43 > head.length) return undefined
  const channels = head.readUInt16BE(at + 40)
  return {
    width: head.readUInt32BE(at + 8) - head.readUInt32BE(at + 16),
    height: head.readUInt32BE(at + 12) - head.readUInt32BE(at + 20),
    channels,
    bitsPerChannel: (head.readUInt8(at + 42) & 0x7f) + 1,
    isGray: channels < 3,
  }
}
