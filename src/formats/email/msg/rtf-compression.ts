/** What every compressed RTF may refer to before its own first byte. */
const PRELOADED =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx'
const DICTIONARY_BYTES = 4_096
const COMPRESSED = 0x75465a4c
const UNCOMPRESSED = 0x414c454d
const MAX_RTF_BYTES = 32 * 1_048_576

/** The RTF of a message body; undefined where it is neither compressed nor plain. */
export const decompressRtf = (data: Buffer): Buffer | undefined => {
  if (data.length < 16) return undefined
  const rawBytes = Math.min(data.readUInt32LE(4), MAX_RTF_BYTES)
  const kind = data.readUInt32LE(8)
  if (kind === UNCOMPRESSED) return data.subarray(16, 16 + rawBytes)
  return kind === COMPRESSED ? expand(data, rawBytes) : undefined
}

const expand = (data: Buffer, rawBytes: number): Buffer => {
  const dictionary = Buffer.alloc(DICTIONARY_BYTES, 0x20)
  let writeAt = dictionary.write(PRELOADED, 'latin1')
  // A reference of two bytes stands for at most 17.
  const output = Buffer.alloc(Math.min(rawBytes, data.length * 17))
  let written = 0
  const put = (byte: number): void => {
    if (written < output.length) output[written++] = byte
    dictionary[writeAt] = byte
    writeAt = (writeAt + 1) % DICTIONARY_BYTES
  }
  let at = 16
  while (at < data.length && written < output.length) {
    const flags = data[at++] as number
    for (let bit = 0; bit < 8 && at < data.length; bit++) {
      if ((flags & (1 << bit)) === 0) {
        put(data[at++] as number)
        continue
      }
      if (at + 2 > data.length) return output.subarray(0, written)
      const reference = data.readUInt16BE(at)
      at += 2
      const from = reference >> 4
      // A reference to the place that is written next ends the text.
      if (from === writeAt) return output.subarray(0, written)
      for (let i = 0; i < (reference & 15) + 2; i++) put(dictionary[(from + i) % DICTIONARY_BYTES] as number)
    }
  }
  return output.subarray(0, written)
}
