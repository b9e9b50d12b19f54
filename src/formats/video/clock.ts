const pad = (number: number, length = 2): string => String(number).padStart(length, '0')

const split = (seconds: number) => {
  const milliseconds = Math.max(0, Math.round(seconds * 1_000))
  const whole = Math.floor(milliseconds / 1_000)
  return {
    hours: Math.floor(whole / 3_600),
    minutes: Math.floor(whole / 60) % 60,
    seconds: whole % 60,
    milliseconds: milliseconds % 1_000,
  }
}

/** `01:02:03.456`, with `separator` before the milliseconds. */
export const formatClock = (time: number, separator = '.'): string => {
  const { hours, minutes, seconds, milliseconds } = split(time)
  return `${pad(hours)}:${pad(minutes)}:${pad(seconds)}${separator}${pad(milliseconds, 3)}`
}

/** `00h01m02.345s`: a time that may stand in the name of a file and sorts as it should. */
export const formatFileClock = (time: number): string => {
  const { hours, minutes, seconds, milliseconds } = split(time)
  return `${pad(hours)}h${pad(minutes)}m${pad(seconds)}.${pad(milliseconds, 3)}s`
}

/** `1:02` or `1:00:02`, for people. */
export const formatShortClock = (time: number): string => {
  const { hours, minutes, seconds } = split(time)
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds)}` : `${minutes}:${pad(seconds)}`
}
