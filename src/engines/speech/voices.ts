import { readFile } from 'node:fs/promises'
import type { Tensor } from 'onnxruntime-node'
import { modelPath } from './models.ts'
import { openSession } from './open-session.ts'
import { readVoiceFeatures } from './voice-features.ts'
import { VOICE_CONTEXT_FRAMES, VOICE_FEATURES, VOICE_SIZE } from './voice-model.ts'

/** A stretch of a piece of sound, in seconds from its start. */
export type Stretch = { startSeconds: number; endSeconds: number }
/** Describes the voice in each stretch of a piece of sound by a vector of length 1; none where it is too short. */
export type VoiceReader = (samples: Float32Array, stretches: readonly Stretch[]) => Promise<(Float32Array | null)[]>

const FRAMES_PER_SECOND = 100
/** Below that a voice cannot be told. */
const MIN_FRAMES = 25

/** Opens the voice model. */
export const openVoiceReader = async (): Promise<VoiceReader> => {
  const onnx = await import('onnxruntime-node')
  const session = await openSession(modelPath('voice frames'))
  const file = await readFile(modelPath('voice projection'))
  const projection = new Float32Array(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength))
  const [output = ''] = session.outputNames

  return async (samples, stretches) => {
    const { rows, values } = readVoiceFeatures(samples)
    if (rows < VOICE_CONTEXT_FRAMES + MIN_FRAMES) return stretches.map(() => null)
    const columns = new Float32Array(values.length)
    for (let row = 0; row < rows; row += 1)
      for (let i = 0; i < VOICE_FEATURES; i += 1) columns[i * rows + row] = values[row * VOICE_FEATURES + i] as number
    const features = new onnx.Tensor('float32', columns, [1, VOICE_FEATURES, rows])
    const given = (await session.run({ features }))[output] as Tensor
    const [, size = 0, frames = 0] = given.dims
    const data = given.data as Float32Array
    return stretches.map(({ startSeconds, endSeconds }) => {
      const shift = VOICE_CONTEXT_FRAMES / 2
      const first = Math.max(0, Math.round(startSeconds * FRAMES_PER_SECOND) - shift)
      const last = Math.min(frames, Math.round(endSeconds * FRAMES_PER_SECOND) - shift)
      return last - first < MIN_FRAMES ? null : project(projection, poolFrames(data, { size, frames, first, last }))
    })
  }
}

/** The mean of each number over the frames, then the spread of each. */
const poolFrames = (
  data: Float32Array,
  { size, frames, first, last }: { size: number; frames: number; first: number; last: number },
): Float32Array => {
  const pooled = new Float32Array(2 * size)
  const count = last - first
  for (let i = 0; i < size; i += 1) {
    let sum = 0
    let squares = 0
    for (let frame = first; frame < last; frame += 1) {
      const value = data[i * frames + frame] as number
      sum += value
      squares += value * value
    }
    const mean = sum / count
    pooled[i] = mean
    pooled[size + i] = Math.sqrt(Math.max(1e-5, squares / count - mean * mean))
  }
  return pooled
}

const project = (projection: Float32Array, pooled: Float32Array): Float32Array => {
  const columns = pooled.length + 1
  const voice = new Float32Array(VOICE_SIZE)
  for (let row = 0; row < VOICE_SIZE; row += 1) {
    let sum = projection[row * columns + pooled.length] as number
    for (let i = 0; i < pooled.length; i += 1) sum += (projection[row * columns + i] as number) * (pooled[i] as number)
    voice[row] = sum
  }
  const length = Math.hypot(...voice) || 1
  return voice.map((value) => value / length)
}
