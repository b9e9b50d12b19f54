import { VAD_FRAME_SAMPLES } from '../../engines/speech/silero-vad.ts'

const FRAME_BYTES = VAD_FRAME_SAMPLES * 2

/** Cuts 16-bit samples, as they come, into frames of numbers from −1 to 1; the last is filled up with silence. */
export async function* cutFrames(sound: AsyncIterable<Buffer>): AsyncGenerator<Float32Array> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of sound) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let position = 0
    for (; position + FRAME_BYTES <= bytes.length; position += FRAME_BYTES) yield toFrame(bytes, position, FRAME_BYTES)
    rest = bytes.subarray(position)
  }
  if (rest.length > 1) yield toFrame(rest, 0, rest.length - (rest.length % 2))
}

const toFrame = (bytes: Buffer, position: number, length: number): Float32Array => {
  const frame = new Float32Array(VAD_FRAME_SAMPLES)
  for (let index = 0; index < length / 2; index += 1) frame[index] = bytes.readInt16LE(position + index * 2) / 32_768
  return frame
}
