const MIN_REPEATS = 4
const MAX_PERIOD = 24
/** Short words may well be said four times over: no, no, no, no. */
const MIN_TOKENS = 12

/**
 * Looks whether a list ends in the same run of numbers over and over; returns where the second of these runs begins,
 * which is where what was said before ends.
 */
export const findLoop = (ids: readonly number[]): number | undefined => {
  const end = ids.length
  for (let period = 1; period <= MAX_PERIOD; period += 1) {
    const length = Math.max(MIN_REPEATS * period, MIN_TOKENS)
    if (length > end) return undefined
    let same = period
    while (same < length && ids[end - 1 - same] === ids[end - 1 - same + period]) same += 1
    if (same >= length) return end - length + period
  }
  return undefined
}
