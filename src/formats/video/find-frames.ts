import { rm } from 'node:fs/promises'
import { type FramePlan, type FrameWish, planFrames, ROUNDING_SECONDS, withoutSeeking } from './frame-plan.ts'
import { type FrameJob, scanFrames, seekFrames, type TakenFrame } from './take-frames.ts'

/** The frames of a film in the order of their times. */
export type FoundFrames = {
  frames: TakenFrame[]
  /** There are more than were wished for. */
  isLimited: boolean
  /** What the engine complained about last. */
  stderr: string
}

/** How far from its place a frame may lie that is to stand for a part of the film, in parts of their distance. */
const SNAP_SHARE = 0.25
/** Jumping pays where less than this share of the film is decoded. */
const MAX_DECODED_SHARE = 0.6
const SAMPLES = 6
/** Fewer than this share of the wanted frames means that jumping does not work in this file. */
const MIN_FOUND_SHARE = 0.5

/** Finds frames in the cheapest way that gives the right ones. */
export const findFrames = async (job: FrameJob, wish: FrameWish): Promise<FoundFrames> => {
  const plan = planFrames(wish, job.durationSeconds)
  if (plan.way === 'seek') {
    const found = await seek(job, plan)
    if (found) return { ...found, isLimited: hasMoreThanWished(wish, job.durationSeconds) }
  }
  const scanned = withoutSeeking(plan)
  if (scanned.way !== 'scan') throw new Error('a plan without seeking still seeks')
  // One more than wished for tells whether there are more.
  const { frames, stderr } = await scanFrames(job, { ...scanned, maxFrames: wish.maxFrames + 1 })
  const [extra] = frames.splice(wish.maxFrames)
  if (extra) await rm(extra.file, { force: true })
  return { frames, stderr, isLimited: extra !== undefined && wish.mode !== 'evenly-spaced' }
}

const hasMoreThanWished = ({ mode, intervalSeconds, maxFrames }: FrameWish, durationSeconds: number): boolean =>
  mode === 'every-n-seconds' && durationSeconds > intervalSeconds * maxFrames + ROUNDING_SECONDS

type SeekPlan = FramePlan & { way: 'seek' }

/** Undefined where the frames are better had by decoding everything. */
const seek = async (job: FrameJob, plan: SeekPlan): Promise<{ frames: TakenFrame[]; stderr: string } | undefined> => {
  const { frames, stderr } = plan.snap ? await seekEvenly(job, plan) : await seekGrid(job, plan)
  const unique = new Map<number, TakenFrame>()
  for (const frame of frames) if (frame && !unique.has(frame.timeSeconds)) unique.set(frame.timeSeconds, frame)
  if (unique.size < plan.targets.length * MIN_FOUND_SHARE) {
    await discard(frames)
    return undefined
  }
  return { frames: [...unique.values()].sort((a, b) => a.timeSeconds - b.timeSeconds), stderr }
}

type Sought = Awaited<ReturnType<typeof seekFrames>>

/** A key frame near each place where there is one, for it is by far the cheapest; else the frame at the place. */
const seekEvenly = async (job: FrameJob, { targets, spacingSeconds }: SeekPlan): Promise<Sought> => {
  const slack = spacingSeconds * SNAP_SHARE
  const half = (from: number): FrameJob => ({ ...job, onProgress: (done) => job.onProgress(from + done / 2) })
  const near = await seekFrames(half(0), { targets: targets.map((target) => target + slack), keyframes: true })
  const isNear = (frame: TakenFrame | undefined, i: number) =>
    frame !== undefined && Math.abs(frame.timeSeconds - (targets[i] ?? 0)) <= slack
  const far = targets.flatMap((target, i) => (isNear(near.frames[i], i) ? [] : [{ target, i }]))
  await discard(far.map(({ i }) => near.frames[i]))
  if (far.length === 0) return near
  const exact = await seekFrames(half(0.5), { targets: far.map(({ target }) => target) })
  const frames = [...near.frames]
  for (const [at, { i }] of far.entries()) frames[i] = exact.frames[at]
  return { frames, stderr: exact.stderr || near.stderr }
}

const NOTHING: Sought = { frames: [], stderr: '' }

/** The first frame at or after each place, unless key frames are so far apart that nothing would be saved. */
const seekGrid = async (job: FrameJob, { targets, spacingSeconds }: SeekPlan): Promise<Sought> => {
  const distance = await meanKeyframeDistance(job, targets)
  if (distance === undefined || distance > spacingSeconds * MAX_DECODED_SHARE) return NOTHING
  return seekFrames(job, { targets: targets.map((target) => (target > 0 ? target - ROUNDING_SECONDS : 0)) })
}

/** How much is decoded on average to get to a place. */
const meanKeyframeDistance = async (job: FrameJob, targets: readonly number[]): Promise<number | undefined> => {
  const step = Math.max(1, Math.floor(targets.length / SAMPLES))
  const samples = targets.filter((_, i) => i % step === Math.floor(step / 2)).slice(0, SAMPLES)
  const { frames } = await seekFrames(
    { ...job, onProgress: () => job.onProgress(0) },
    { targets: samples, keyframes: true },
  )
  await discard(frames)
  const distances = frames.flatMap((frame, i) => (frame ? [Math.max(0, (samples[i] ?? 0) - frame.timeSeconds)] : []))
  if (distances.length < samples.length / 2) return undefined
  return distances.reduce((sum, distance) => sum + distance, 0) / distances.length
}

const discard = async (frames: readonly (TakenFrame | undefined)[]): Promise<void> => {
  for (const frame of frames) if (frame) await rm(frame.file, { force: true })
}
