import type { InferenceSession, Tensor } from 'onnxruntime-node'
import { alignTokens } from './align-tokens.ts'
import { attentionOutput } from './expose-attention.ts'
import { findLoop } from './find-loop.ts'
import { modelPath } from './models.ts'
import { openSession } from './open-session.ts'
import { SAMPLE_RATE } from './silero-vad.ts'

/** A piece of a word, with the time it was spoken in the piece of sound. */
export type SpokenToken = { id: number; logProbability: number; startSeconds: number; endSeconds: number }
/** What the model heard in one piece of sound. */
export type Heard = {
  tokens: SpokenToken[]
  /** It began to repeat itself, as it does on what it does not understand; the repetitions are cut off. */
  isLoop: boolean
  /** How well the tokens follow the sound, 0 to 1. */
  alignment: number
}
export type Recognizer = { hear(samples: Float32Array, signal: AbortSignal): Promise<Heard> }
export type MoonshineSize = keyof typeof SIZES

/** `heads`: layer and head of the attention that follows the sound most closely. */
const SIZES = {
  tiny: {
    layers: 6,
    headSize: 36,
    heads: [
      [2, 1],
      [3, 0],
      [3, 1],
      [3, 2],
      [3, 5],
    ],
  },
  base: {
    layers: 8,
    headSize: 52,
    heads: [
      [3, 5],
      [4, 2],
      [4, 6],
      [5, 5],
      [5, 6],
    ],
  },
} as const
const HEADS = 8
const START_TOKEN = 1
const END_TOKEN = 2
/** More than people speak; a model that goes on is making it up. */
const TOKENS_PER_SECOND = 6.5

/** Opens Moonshine, an English speech model; several pieces of sound may be heard at once. */
export const openMoonshine = async (size: MoonshineSize): Promise<Recognizer> => {
  const onnx = await import('onnxruntime-node')
  const { layers, headSize, heads } = SIZES[size]
  const encoder = await openSession(modelPath(`${size} encoder`), { keepsMemory: false })
  const decoder = await openSession(modelPath(`${size} decoder`))
  const attentionLayers = [...new Set(heads.map(([layer]) => layer))]
  const wanted = decoder.outputNames.filter(
    (name) => !name.startsWith('cross_attention.') || attentionLayers.some((layer) => name === attentionOutput(layer)),
  )
  // What the decoder makes of the encoder's output stays as it is after the first step.
  const wantedLater = wanted.filter((name) => !name.includes('.encoder.'))
  const empty = new onnx.Tensor('float32', new Float32Array(0), [0, HEADS, 1, headSize])
  const pastNames = Array.from({ length: layers }, (_, layer) => layer).flatMap((layer) =>
    ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'].map((part) => `${layer}.${part}`),
  )

  const hear = async (samples: Float32Array, signal: AbortSignal): Promise<Heard> => {
    const seconds = samples.length / SAMPLE_RATE
    const sound = new onnx.Tensor('float32', samples, [1, samples.length])
    const [hiddenName = ''] = encoder.outputNames
    const hidden = (await encoder.run({ input_values: sound }))[hiddenName] as Tensor
    const frames = hidden.dims[1] ?? 0
    const past: Record<string, Tensor> = Object.fromEntries(pastNames.map((name) => [`past_key_values.${name}`, empty]))
    const found: { id: number; logProbability: number }[] = []
    const attention: Float32Array[] = []
    const maxTokens = Math.max(8, Math.floor(seconds * TOKENS_PER_SECOND))
    let id = START_TOKEN
    let loopStart: number | undefined
    for (let step = 0; step < maxTokens && loopStart === undefined; step += 1) {
      signal.throwIfAborted()
      const feeds = {
        input_ids: new onnx.Tensor('int64', BigInt64Array.of(BigInt(id)), [1, 1]),
        encoder_hidden_states: hidden,
        use_cache_branch: new onnx.Tensor('bool', [step > 0], [1]),
        ...past,
      }
      const result = await decoder.run(feeds, step > 0 ? wantedLater : wanted)
      const best = pickBest((result.logits as Tensor).data as Float32Array)
      attention.push(meanAttention(result, heads, frames))
      if (best.id === END_TOKEN) break
      found.push(best)
      id = best.id
      for (const name of pastNames) {
        const present = result[`present.${name}`]
        if (present) past[`past_key_values.${name}`] = present as Tensor
      }
      loopStart = findLoop(found.map((token) => token.id))
    }
    const kept = found.slice(0, loopStart)
    const { spans, share } = alignTokens(attention)
    const frameSeconds = frames === 0 ? 0 : seconds / frames
    const tokens = kept.map((token, index): SpokenToken => {
      const { firstFrame = 0, lastFrame = 0 } = spans[index] ?? {}
      return { ...token, startSeconds: firstFrame * frameSeconds, endSeconds: (lastFrame + 1) * frameSeconds }
    })
    return { tokens, isLoop: loopStart !== undefined || found.length >= maxTokens, alignment: share }
  }
  return { hear }
}

const pickBest = (logits: Float32Array): { id: number; logProbability: number } => {
  let id = 0
  for (let index = 1; index < logits.length; index += 1)
    if ((logits[index] as number) > (logits[id] as number)) id = index
  const top = logits[id] as number
  let sum = 0
  for (const logit of logits) sum += Math.exp(logit - top)
  return { id, logProbability: -Math.log(sum) }
}

const meanAttention = (
  result: InferenceSession.ReturnType,
  heads: readonly (readonly [number, number])[],
  frames: number,
): Float32Array => {
  const mean = new Float32Array(frames)
  for (const [layer, head] of heads) {
    const { data } = result[attentionOutput(layer)] as Tensor
    const row = (data as Float32Array).subarray(head * frames, (head + 1) * frames)
    for (let frame = 0; frame < frames; frame += 1)
      mean[frame] = (mean[frame] as number) + (row[frame] ?? 0) / heads.length
  }
  return mean
}
