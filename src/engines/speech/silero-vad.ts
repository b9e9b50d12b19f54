import type { Tensor } from 'onnxruntime-node'
import { modelPath } from './models.ts'
import { openSession } from './open-session.ts'

/** Samples a second of all speech models here; they take one channel. */
export const SAMPLE_RATE = 16_000
/** Samples that get one probability: 32 ms. */
export const VAD_FRAME_SAMPLES = 512
const CONTEXT_SAMPLES = 64

/** Tells frame by frame how likely it is that someone speaks; it remembers what it has heard. */
export type SpeechDetector = (frame: Float32Array) => Promise<number>

/** Opens a detector for one recording. */
export const openSpeechDetector = async (): Promise<SpeechDetector> => {
  const onnx = await import('onnxruntime-node')
  const session = await openSession(modelPath('speech'))
  const sr = new onnx.Tensor('int64', BigInt64Array.of(BigInt(SAMPLE_RATE)), [])
  const input = new Float32Array(CONTEXT_SAMPLES + VAD_FRAME_SAMPLES)
  let state: Tensor = new onnx.Tensor('float32', new Float32Array(2 * 128), [2, 1, 128])
  return async (frame) => {
    input.copyWithin(0, VAD_FRAME_SAMPLES)
    input.set(frame, CONTEXT_SAMPLES)
    const result = await session.run({ input: new onnx.Tensor('float32', input, [1, input.length]), state, sr })
    state = result.stateN as Tensor
    return (result.output as Tensor).data[0] as number
  }
}
