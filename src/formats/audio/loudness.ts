/** Loudness by EBU R 128; null where the sound is too short or too quiet to have any. */
export type Loudness = {
  integratedLufs: number | null
  rangeLu: number | null
  rangeLowLufs: number | null
  rangeHighLufs: number | null
  truePeakDbtp: number | null
  samplePeakDbfs: number | null
}

/** What the meter says of silence: its lowest value. */
const FLOOR_LUFS = -70

/** Reads the summary that ffmpeg's `ebur128` filter ends with; undefined where there is none. */
export const readLoudness = (log: string): Loudness | undefined => {
  // A filter that is set up twice sums up twice, the first time with nothing.
  const start = log.lastIndexOf('Integrated loudness:')
  if (start < 0) return undefined
  const summary = log.slice(start)
  const read = (label: string): number | null => {
    const found = new RegExp(`^ *${label}:\\s*(\\S+) (?:LUFS|LU|dBFS)`, 'm').exec(summary)
    const value = Number.parseFloat(found?.[1] ?? '')
    return Number.isFinite(value) ? value : null
  }
  const peakAfter = (heading: string): number | null => {
    const found = new RegExp(`${heading}:\\s*Peak:\\s*(\\S+) dBFS`).exec(summary)
    const value = Number.parseFloat(found?.[1] ?? '')
    return Number.isFinite(value) ? value : null
  }
  const integratedLufs = read('I')
  const isHeard = integratedLufs !== null && integratedLufs > FLOOR_LUFS
  // Over a sound that is too short for a range the meter says that it lies at full scale.
  const hasRange = isHeard && (read('LRA low') !== 0 || read('LRA high') !== 0)
  return {
    integratedLufs: isHeard ? integratedLufs : null,
    rangeLu: hasRange ? read('LRA') : null,
    rangeLowLufs: hasRange ? read('LRA low') : null,
    rangeHighLufs: hasRange ? read('LRA high') : null,
    truePeakDbtp: peakAfter('True peak'),
    samplePeakDbfs: peakAfter('Sample peak'),
  }
}
