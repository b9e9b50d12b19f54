/** What is compressed, unpacked in pieces; more than `maximumBytes` throws. */
export async function* inflate(
  packed: Blob,
  how: 'deflate' | 'deflate-raw',
  maximumBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = packed.stream().pipeThrough(new DecompressionStream(how)).getReader()
  let total = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      total += value.length
      if (total > maximumBytes) throw new RangeError('unpacks to more than is read here')
      yield value
    }
  } finally {
    // Ended early, the rest is not unpacked.
    await reader.cancel().catch(() => undefined)
  }
}

/** Pieces put together. */
export const collect = async (pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> => {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  const whole = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of all) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
