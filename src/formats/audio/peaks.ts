/** The least, the greatest and the mean square of the samples of each bucket; whole scale is 32768. */
export type Peaks = {
  framesPerBucket: number
  min: Int16Array
  max: Int16Array
  /** Sums of squares over all channels, not yet divided. */
  squares: Float64Array
  /** Samples in each bucket, all channels together. */
  counts: Float64Array
}

/** One point of a drawn waveform, in parts of full scale. */
export type PeakPoint = { min: number; max: number; rms: number }

export type PeakCounter = {
  /** Takes the next bytes, cut anywhere. */
  add(chunk: Buffer): void
  finish(): Peaks
}

/** Buckets held at most; when they are full, two and two become one, so memory stays flat however long the sound is. */
const CAPACITY = 131_072
const FULL_SCALE = 32_768

/** Counts peaks in interleaved 16-bit little-endian samples. */
export const createPeakCounter = (channels: number, capacity = CAPACITY): PeakCounter => {
  const min = new Int16Array(capacity)
  const max = new Int16Array(capacity)
  const squares = new Float64Array(capacity)
  const counts = new Float64Array(capacity)
  let samplesPerBucket = channels
  let bucket = 0
  let inBucket = 0
  let low = FULL_SCALE - 1
  let high = -FULL_SCALE
  let sum = 0
  let left: Buffer = Buffer.alloc(0)

  const close = (): void => {
    min[bucket] = low
    max[bucket] = high
    squares[bucket] = sum
    counts[bucket] = inBucket
    bucket += 1
    inBucket = 0
    low = FULL_SCALE - 1
    high = -FULL_SCALE
    sum = 0
    if (bucket === capacity) halve()
  }
  const halve = (): void => {
    for (let i = 0, from = 0; from < capacity; i++, from += 2) {
      min[i] = Math.min(at(min, from), at(min, from + 1))
      max[i] = Math.max(at(max, from), at(max, from + 1))
      squares[i] = at(squares, from) + at(squares, from + 1)
      counts[i] = at(counts, from) + at(counts, from + 1)
    }
    bucket = capacity / 2
    samplesPerBucket *= 2
  }
  const addSamples = (block: Int16Array): void => {
    for (let start = 0; start < block.length; ) {
      const end = Math.min(block.length, start + samplesPerBucket - inBucket)
      for (let i = start; i < end; i++) {
        const value = block[i] as number
        if (value < low) low = value
        if (value > high) high = value
        sum += value * value
      }
      inBucket += end - start
      start = end
      if (inBucket === samplesPerBucket) close()
    }
  }

  return {
    add(chunk) {
      const bytes = left.length > 0 ? Buffer.concat([left, chunk]) : chunk
      const even = bytes.length & ~1
      // A view needs an even place in memory, which a chunk need not have.
      const aligned = bytes.byteOffset % 2 === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer)
      addSamples(new Int16Array(aligned.buffer, aligned.byteOffset, even / 2))
      left = Buffer.from(bytes.subarray(even))
    },
    finish() {
      if (inBucket > 0) close()
      return {
        framesPerBucket: samplesPerBucket / channels,
        min: min.slice(0, bucket),
        max: max.slice(0, bucket),
        squares: squares.slice(0, bucket),
        counts: counts.slice(0, bucket),
      }
    },
  }
}

/** Brings peaks down to `wanted` points of the same length of time; as many as there are where there are fewer. */
export const reducePeaks = ({ min, max, squares, counts }: Peaks, wanted: number): PeakPoint[] => {
  const points = Math.min(wanted, min.length)
  return Array.from({ length: points }, (_, point) => {
    const end = Math.floor(((point + 1) * min.length) / points)
    let low = FULL_SCALE
    let high = -FULL_SCALE
    let sum = 0
    let count = 0
    for (let i = Math.floor((point * min.length) / points); i < end; i++) {
      low = Math.min(low, at(min, i))
      high = Math.max(high, at(max, i))
      sum += at(squares, i)
      count += at(counts, i)
    }
    return { min: low / FULL_SCALE, max: high / FULL_SCALE, rms: Math.sqrt(sum / count) / FULL_SCALE }
  })
}

const at = (values: Int16Array | Float64Array, index: number): number => values[index] as number
