/** Ways to choose frames, as on the wire. */
export const FRAME_MODES = ['every-n-seconds', 'evenly-spaced', 'scene-change', 'keyframes', 'every-n-frames'] as const
export type FrameMode = (typeof FRAME_MODES)[number]

export type FrameWish = {
  mode: FrameMode
  intervalSeconds: number
  intervalFrames: number
  maxFrames: number
}

/** Decode everything and choose on the way, or jump to each time. */
export type FramePlan =
  | { way: 'scan'; select: string; keyframesOnly: boolean }
  | { way: 'seek'; targets: readonly number[]; spacingSeconds: number; snap: boolean }

/** Below this distance jumping costs more than it saves. */
const MIN_SEEK_SECONDS = 3
/** Half a millisecond: times in whole ticks of a clock are rarely whole in seconds. */
export const ROUNDING_SECONDS = 0.0005
const SCENE_SCORE = 0.3

/** How the frames that are wished for are had at the least cost. */
export const planFrames = (wish: FrameWish, durationSeconds: number): FramePlan => {
  switch (wish.mode) {
    case 'keyframes':
      return { way: 'scan', select: '1', keyframesOnly: true }
    case 'every-n-frames':
      return scan(`not(mod(n,${wish.intervalFrames}))`)
    case 'scene-change':
      return scan(`isnan(prev_selected_t)+gt(scene,${SCENE_SCORE})`)
    case 'evenly-spaced':
      return planEven(wish.maxFrames, durationSeconds)
    case 'every-n-seconds':
      return planGrid(wish, durationSeconds)
  }
}

/** One frame out of each of `count` equal parts: near its middle, or where they are short its first. */
const planEven = (count: number, durationSeconds: number): FramePlan => {
  const spacingSeconds = durationSeconds / count
  if (spacingSeconds < MIN_SEEK_SECONDS) return scan(firstOfCell(spacingSeconds))
  const targets = Array.from({ length: count }, (_, i) => (i + 0.5) * spacingSeconds)
  return { way: 'seek', targets, spacingSeconds, snap: true }
}

/** The first frame at or after 0, n, 2n, … seconds. */
const planGrid = ({ intervalSeconds, maxFrames }: FrameWish, durationSeconds: number): FramePlan => {
  const count = Math.min(maxFrames, Math.max(1, Math.ceil((durationSeconds - ROUNDING_SECONDS) / intervalSeconds)))
  if (intervalSeconds < MIN_SEEK_SECONDS || count < 2) return scan(firstOfCell(intervalSeconds))
  const targets = Array.from({ length: count }, (_, i) => i * intervalSeconds)
  return { way: 'seek', targets, spacingSeconds: intervalSeconds, snap: false }
}

/** The plan that finds frames at the same distance without jumping, where that does not work or does not pay. */
export const withoutSeeking = (plan: FramePlan): FramePlan =>
  plan.way === 'scan' ? plan : scan(firstOfCell(plan.spacingSeconds))

const scan = (select: string): FramePlan => ({ way: 'scan', select, keyframesOnly: false })

/** True for the first frame of each stretch of `length` seconds. */
const firstOfCell = (length: number): string => {
  const cell = (time: string) => `floor((${time}+${ROUNDING_SECONDS})/${Math.max(length, 1e-6)})`
  return `isnan(prev_selected_t)+gt(${cell('t')},${cell('prev_selected_t')})`
}
