import { VOICE_FEATURES } from './voice-model.ts'

/** One row of numbers for every 10 ms. */
export type Features = { rows: number; values: Float32Array }

/** What the voice model was trained on: a telephone's 8 kHz. */
const RATE = 8_000
const WINDOW = 200
const STEP = 80
const TRANSFORM = 256
const LOW_HZ = 20
const HIGH_HZ = 3_700
const LEAST = 1.19e-7
/** 3 s over which the mean of each number is taken off, so that the room and the microphone do not count. */
const MEAN_ROWS = 300
const INT16 = 32_768

/** Mel-frequency cepstral coefficients, as Kaldi computes them, of 16 kHz sound, each less its mean nearby. */
export const readVoiceFeatures = (samples: Float32Array): Features => subtractMeans(readCepstra(halveRate(samples)))

/** A low-pass filter of the window kind, and every second sample of what is left. */
const halveRate = (samples: Float32Array): Float32Array => {
  const out = new Float32Array(Math.floor(samples.length / 2))
  for (let index = 0; index < out.length; index += 1) {
    let sum = 0
    for (let tap = 0; tap < HALF_BAND.length; tap += 1)
      sum += (HALF_BAND[tap] as number) * (samples[index * 2 + tap - HALF_BAND_CENTER] ?? 0)
    out[index] = sum * INT16
  }
  return out
}

const HALF_BAND_CENTER = 15
const HALF_BAND = Float64Array.from({ length: 2 * HALF_BAND_CENTER + 1 }, (_, tap) => {
  const distance = tap - HALF_BAND_CENTER
  const sinc = distance === 0 ? 0.5 : Math.sin((Math.PI * distance) / 2) / (Math.PI * distance)
  return sinc * (0.54 + 0.46 * Math.cos((Math.PI * distance) / HALF_BAND_CENTER))
})

const POVEY = Float64Array.from(
  { length: WINDOW },
  (_, i) => (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (WINDOW - 1))) ** 0.85,
)
const toMel = (hertz: number): number => 1127 * Math.log(1 + hertz / 700)

/** For each band the bins of the spectrum that fall into it, with their weights. */
const BANDS = Array.from({ length: VOICE_FEATURES }, (_, band) => {
  const step = (toMel(HIGH_HZ) - toMel(LOW_HZ)) / (VOICE_FEATURES + 1)
  const left = toMel(LOW_HZ) + band * step
  const weigh = (mel: number) => (mel <= left + step ? mel - left : left + 2 * step - mel) / step
  return Array.from({ length: TRANSFORM / 2 }, (_bin, bin) => ({
    bin,
    weight: weigh(toMel((bin * RATE) / TRANSFORM)),
  })).filter(({ weight }) => weight > 0)
})
const COSINES = Array.from({ length: VOICE_FEATURES }, (_, row) =>
  Float64Array.from({ length: VOICE_FEATURES }, (_column, column) =>
    row === 0
      ? Math.sqrt(1 / VOICE_FEATURES)
      : Math.sqrt(2 / VOICE_FEATURES) * Math.cos((Math.PI / VOICE_FEATURES) * (column + 0.5) * row),
  ),
)
const LIFTER = Float64Array.from({ length: VOICE_FEATURES }, (_, i) => 1 + 11 * Math.sin((Math.PI * i) / 22))

const readCepstra = (samples: Float32Array): Features => {
  const rows = Math.max(0, 1 + Math.floor((samples.length - WINDOW) / STEP))
  const values = new Float32Array(rows * VOICE_FEATURES)
  const real = new Float64Array(TRANSFORM)
  const imaginary = new Float64Array(TRANSFORM)
  const bands = new Float64Array(VOICE_FEATURES)
  for (let row = 0; row < rows; row += 1) {
    const energy = frameAt(samples, row * STEP, real)
    imaginary.fill(0)
    transform(real, imaginary)
    for (const [band, bins] of BANDS.entries()) {
      let sum = 0
      for (const { bin, weight } of bins) sum += weight * ((real[bin] as number) ** 2 + (imaginary[bin] as number) ** 2)
      bands[band] = Math.log(Math.max(sum, LEAST))
    }
    for (const [index, cosines] of COSINES.entries()) {
      let sum = 0
      for (let band = 0; band < VOICE_FEATURES; band += 1) sum += (cosines[band] as number) * (bands[band] as number)
      values[row * VOICE_FEATURES + index] = sum * (LIFTER[index] as number)
    }
    values[row * VOICE_FEATURES] = Math.log(Math.max(energy, LEAST))
  }
  return { rows, values }
}

/** Fills a window with sound, raises the high tones and fades its ends; returns its energy before that. */
const frameAt = (samples: Float32Array, start: number, out: Float64Array): number => {
  let mean = 0
  for (let i = 0; i < WINDOW; i += 1) mean += (samples[start + i] as number) / WINDOW
  let energy = 0
  for (let i = 0; i < WINDOW; i += 1) {
    const value = (samples[start + i] as number) - mean
    energy += value * value
    out[i] = value
  }
  for (let i = WINDOW - 1; i > 0; i -= 1)
    out[i] = ((out[i] as number) - 0.97 * (out[i - 1] as number)) * (POVEY[i] as number)
  out[0] = (out[0] as number) * 0.03 * (POVEY[0] as number)
  out.fill(0, WINDOW)
  return energy
}

/** The fast Fourier transform, in place. */
const transform = (real: Float64Array, imaginary: Float64Array): void => {
  const size = real.length
  for (let i = 1, j = 0; i < size; i += 1) {
    let bit = size >> 1
    for (; j & bit; bit >>= 1) j ^= bit
    j ^= bit
    if (i >= j) continue
    ;[real[i], real[j]] = [real[j] as number, real[i] as number]
    ;[imaginary[i], imaginary[j]] = [imaginary[j] as number, imaginary[i] as number]
  }
  for (let length = 2; length <= size; length *= 2) {
    for (let k = 0; k < length / 2; k += 1) {
      const cosine = Math.cos((-2 * Math.PI * k) / length)
      const sine = Math.sin((-2 * Math.PI * k) / length)
      for (let low = k; low < size; low += length) {
        const high = low + length / 2
        const [x, y] = [real[high] as number, imaginary[high] as number]
        const [a, b] = [x * cosine - y * sine, x * sine + y * cosine]
        real[high] = (real[low] as number) - a
        imaginary[high] = (imaginary[low] as number) - b
        real[low] = (real[low] as number) + a
        imaginary[low] = (imaginary[low] as number) + b
      }
    }
  }
}

const subtractMeans = ({ rows, values }: Features): Features => {
  const out = new Float32Array(values.length)
  const span = Math.min(rows, MEAN_ROWS)
  const sums = new Float64Array(VOICE_FEATURES)
  let [from, to] = [0, 0]
  for (let row = 0; row < rows; row += 1) {
    const first = Math.max(0, Math.min(row - MEAN_ROWS / 2, rows - span))
    for (; to < first + span; to += 1)
      for (let i = 0; i < VOICE_FEATURES; i += 1)
        sums[i] = (sums[i] as number) + (values[to * VOICE_FEATURES + i] as number)
    for (; from < first; from += 1)
      for (let i = 0; i < VOICE_FEATURES; i += 1)
        sums[i] = (sums[i] as number) - (values[from * VOICE_FEATURES + i] as number)
    for (let i = 0; i < VOICE_FEATURES; i += 1) {
      const place = row * VOICE_FEATURES + i
      out[place] = (values[place] as number) - (sums[i] as number) / span
    }
  }
  return { rows, values: out }
}
