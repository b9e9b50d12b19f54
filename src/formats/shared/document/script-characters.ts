const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ'
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎'
const PLAIN = '0123456789+-=()ni'

/** Raised or lowered text in characters of its own; undefined where Unicode has none for it. */
export const toScriptCharacters = (text: string, script: 'super' | 'sub'): string | undefined => {
  const characters = script === 'super' ? SUPERSCRIPTS : SUBSCRIPTS
  let out = ''
  for (const char of text.replaceAll('\u2212', '-')) {
    const mapped = characters[PLAIN.indexOf(char)]
    if (!PLAIN.includes(char) || mapped === undefined) return undefined
    out += mapped
  }
  return out === '' ? undefined : out
}
