const NUMERALS = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
] as const
/** The greatest that Office writes so. */
const MAX_ROMAN = 32_767

/** A number in small Roman numerals; as figures where there are none for it. */
export const writeRoman = (number: number): string => {
  if (number < 1 || number > MAX_ROMAN) return String(number)
  let rest = number
  let out = ''
  for (const [value, numeral] of NUMERALS) {
    for (; rest >= value; rest -= value) out += numeral
  }
  return out
}
