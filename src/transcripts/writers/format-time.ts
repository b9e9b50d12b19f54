const pad = (value: number, digits = 2): string => String(value).padStart(digits, '0')

/** `01:02:03`, rounded down: what stands in front of a paragraph. */
export const formatClock = (seconds: number): string => {
  const whole = Number.isFinite(seconds) && seconds > 0 ? Math.floor(seconds) : 0
  return `${pad(Math.floor(whole / 3600))}:${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}`
}

/** `01:02:03` and the milliseconds after the mark that the format of subtitles wants. */
export const formatCueTime = (milliseconds: number, mark: ',' | '.'): string =>
  `${formatClock(milliseconds / 1000)}${mark}${pad(milliseconds % 1000, 3)}`
