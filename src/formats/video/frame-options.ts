import type { OptionValues } from '../../core/catalog.ts'
import { FRAME_MODES } from './frame-plan.ts'

/** Options of `video.frames`, the contract's first. */
export const FRAME_OPTIONS = {
  frameMode: {
    type: 'enum',
    allowedValues: FRAME_MODES,
    defaultValue: 'every-n-seconds',
    detail:
      'evenly-spaced: maxExtractedFrames frames over the whole length. scene-change: the first frame of each scene. keyframes: those that are stored whole.',
  },
  frameIntervalSeconds: {
    type: 'number',
    min: 0.01,
    max: 86_400,
    defaultValue: 1,
    detail: 'Distance of the frames of every-n-seconds.',
  },
  maxExtractedFrames: {
    type: 'integer',
    min: 1,
    max: 5_000,
    defaultValue: 500,
    detail: 'Frames after this many are left out, with a warning.',
  },
  frameIntervalFrames: {
    type: 'integer',
    min: 1,
    max: 1_000_000,
    defaultValue: 30,
    detail: 'Distance of the frames of every-n-frames.',
  },
  format: { type: 'enum', allowedValues: ['jpg', 'png'], defaultValue: 'jpg', detail: 'Format of the pictures.' },
  width: {
    type: 'integer',
    min: 0,
    max: 16_384,
    defaultValue: 0,
    detail: 'Width of the pictures in pixels; 0, or more than the film has, keeps its own.',
  },
} as const
export type FrameOptions = OptionValues<typeof FRAME_OPTIONS>
