/** The frames of the sound that a token takes up, both ends counted. */
export type TokenSpan = { firstFrame: number; lastFrame: number }
export type Alignment = {
  spans: TokenSpan[]
  /** Share of the attention that lies on the path, 0 to 1: near 1 where the words follow the sound. */
  share: number
}

const NEXT_TOKEN_AND_FRAME = 0
const NEXT_FRAME = 1
const NEXT_TOKEN = 2

/**
 * Finds the way through time that gathers the most attention: tokens in their order, frames in theirs. Row by row,
 * `attention` holds what a token gave to each frame.
 */
export const alignTokens = (attention: readonly Float32Array[]): Alignment => {
  const tokens = attention.length
  const frames = attention[0]?.length ?? 0
  if (tokens === 0 || frames === 0) return { spans: [], share: 0 }
  const steps = new Uint8Array(tokens * frames)
  let above = new Float64Array(frames).fill(Number.NEGATIVE_INFINITY)
  for (const [token, row] of attention.entries()) {
    const gained = new Float64Array(frames)
    for (let frame = 0; frame < frames; frame += 1) {
      const diagonal = frame > 0 ? (above[frame - 1] as number) : Number.NEGATIVE_INFINITY
      const left = frame > 0 ? (gained[frame - 1] as number) : Number.NEGATIVE_INFINITY
      const up = above[frame] as number
      let best = diagonal
      let step = NEXT_TOKEN_AND_FRAME
      if (left > best) [best, step] = [left, NEXT_FRAME]
      if (up > best) [best, step] = [up, NEXT_TOKEN]
      if (token === 0 && frame === 0) best = 0
      gained[frame] = best + (row[frame] as number)
      steps[token * frames + frame] = step
    }
    above = gained
  }
  return walkBack(steps, tokens, frames, attention)
}

const walkBack = (steps: Uint8Array, tokens: number, frames: number, attention: readonly Float32Array[]): Alignment => {
  const spans = Array.from({ length: tokens }, (): TokenSpan => ({ firstFrame: 0, lastFrame: 0 }))
  let token = tokens - 1
  let frame = frames - 1
  let gathered = attention[token]?.[frame] ?? 0
  const last = spans[token]
  if (last) last.lastFrame = frame
  while (token > 0 || frame > 0) {
    const span = spans[token] as TokenSpan
    span.firstFrame = frame
    const step = steps[token * frames + frame]
    if (step !== NEXT_TOKEN) frame -= 1
    if (step !== NEXT_FRAME) {
      token -= 1
      ;(spans[token] as TokenSpan).lastFrame = frame
    }
    gathered += attention[token]?.[frame] ?? 0
  }
  ;(spans[0] as TokenSpan).firstFrame = 0
  return { spans, share: gathered / tokens }
}
