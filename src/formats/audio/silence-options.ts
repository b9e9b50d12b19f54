/** What counts as silence; for every capability of a job that looks for it. */
export const SILENCE_OPTIONS = {
  silenceLevelDb: {
    type: 'number',
    shared: true,
    min: -120,
    max: -10,
    defaultValue: -50,
    detail: 'Sound below this level, in decibels of full scale, is silence.',
  },
  minSilenceSeconds: {
    type: 'number',
    shared: true,
    min: 0.05,
    max: 60,
    defaultValue: 0.5,
    detail: 'Silence that is shorter is part of the sound.',
  },
} as const
