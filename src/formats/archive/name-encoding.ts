type Decode = (bytes: Buffer) => string
/** How much a name looks like one that a person gave: in points for each byte that is not ASCII. */
type Judge = (name: Buffer, decode: Decode) => number

/**
 * Encodings that names are met in. Old archives do not say which: they were packed on one system, in the code page of
 * its language. The first of those that fit equally well is taken.
 */
const CANDIDATES: readonly (readonly [encoding: string, judge: Judge])[] = [
  ['cp437', (name, decode) => judgeLetters(decode(name))],
  ['cp850', (name, decode) => judgeLetters(decode(name))],
  ['cp866', (name, decode) => judgeLetters(decode(name))],
  ['windows-1252', (name, decode) => judgeLetters(decode(name))],
  ['windows-1251', (name, decode) => judgeLetters(decode(name))],
  ['shift_jis', (name) => judgePairs(name, judgeJapanese, isHalfwidthKana)],
  ['gb18030', (name) => judgePairs(name, judgeChinese)],
  ['big5', (name) => judgePairs(name, judgeTraditional)],
  ['euc-kr', (name) => judgePairs(name, judgeKorean)],
]
const DEFAULT = 'cp437'
const SAMPLE_BYTES = 20_000

/** The likeliest encoding of names that are not UTF-8. */
export const guessNameEncoding = async (names: readonly Buffer[]): Promise<string> => {
  const { default: iconv } = await import('iconv-lite')
  const sample: Buffer[] = []
  let bytes = 0
  for (const name of names) {
    if (bytes > SAMPLE_BYTES) break
    bytes += name.length
    sample.push(name)
  }
  let best = { encoding: DEFAULT, score: 0 }
  for (const [encoding, judge] of CANDIDATES) {
    const score = sample.reduce((sum, name) => sum + judge(name, (each) => iconv.decode(each, encoding)), 0)
    if (score > best.score) best = { encoding, score }
  }
  return best.encoding
}

const LETTER_POINTS = { latin: 0.6, cyrillic: 1, odd: -1.5, broken: -6 } as const

/** Of code pages with one byte for each character. */
const judgeLetters = (text: string): number => {
  let points = 0
  let before: 'latin' | 'cyrillic' | undefined
  let beforeIsLower = false
  for (const character of text) {
    const isAscii = character < '\u0080'
    const script = isAscii ? (/[a-z]/i.test(character) ? 'latin' : undefined) : scriptOf(character)
    const isLetter = script === 'latin' || script === 'cyrillic'
    const isCapital = isLetter && character !== character.toLowerCase()
    if (!isAscii && script) points += LETTER_POINTS[script]
    if (isLetter && before !== undefined && before !== script) points -= 1.5
    // Inside a word a small letter is not followed by a capital one.
    if (isLetter && beforeIsLower && isCapital) points -= isAscii ? 0.2 : 1.5
    before = isLetter ? script : undefined
    beforeIsLower = isLetter && !isCapital
  }
  return points
}

const scriptOf = (character: string): keyof typeof LETTER_POINTS | undefined => {
  const code = character.charCodeAt(0)
  if (code === 0xfffd || code < 0xa0) return 'broken'
  if ((code >= 0xc0 && code <= 0x24f && code !== 0xd7 && code !== 0xf7) || code === 0x1e9e) return 'latin'
  if (code >= 0x400 && code <= 0x45f) return 'cyrillic'
  return code === 0x2116 || code === 0xb7 || code === 0xa0 ? undefined : 'odd'
}

/** Of code pages with two bytes for most characters. */
const judgePairs = (
  name: Buffer,
  judgePair: (lead: number, trail: number) => number,
  isSingle: (byte: number) => boolean = () => false,
): number => {
  let points = 0
  let beforeIsLatin = false
  let beforeIsPair = false
  for (let i = 0; i < name.length; i++) {
    const byte = name[i] as number
    if (byte < 0x80) {
      beforeIsLatin = /[a-z]/i.test(String.fromCharCode(byte))
      // Words in the midst of which another writing starts are read wrongly, as a rule.
      if (beforeIsLatin && beforeIsPair) points -= 1
      beforeIsPair = false
      continue
    }
    if (beforeIsLatin) points -= 1
    beforeIsLatin = false
    beforeIsPair = true
    if (isSingle(byte)) {
      points -= 0.5
      continue
    }
    const trail = name[++i]
    points += trail === undefined || trail < 0x40 ? -6 : judgePair(byte, trail)
  }
  return points
}

const within = (byte: number, from: number, to: number): boolean => byte >= from && byte <= to
const COMMON = 2
const RARE = -1
const WRONG = -4

// Every code page has its common characters in one place; names are made of these.
const judgeJapanese = (lead: number, trail: number): number => {
  if (trail === 0x7f || trail > 0xfc) return WRONG
  if (lead === 0x82 && within(trail, 0x9f, 0xf1)) return COMMON + 0.4
  if (lead === 0x83 && trail <= 0x96) return COMMON + 0.4
  if (lead === 0x81 || lead === 0x82) return 0.5
  if (within(lead, 0x88, 0x97)) return COMMON
  return within(lead, 0x98, 0x9f) || within(lead, 0xe0, 0xea) ? RARE : WRONG
}
const isHalfwidthKana = (byte: number): boolean => within(byte, 0xa1, 0xdf)

const judgeChinese = (lead: number, trail: number): number => {
  if (lead === 0x80 || lead === 0xff || trail === 0x7f || trail === 0xff) return WRONG
  if (trail < 0xa1) return RARE
  if (lead === 0xa1 || lead === 0xa3) return 0.5
  if (within(lead, 0xb0, 0xd7)) return COMMON
  return within(lead, 0xd8, 0xf7) ? 0 : RARE
}

const judgeTraditional = (lead: number, trail: number): number => {
  if (within(trail, 0x7f, 0xa0) || trail === 0xff) return WRONG
  if (lead === 0xa1) return 0.5
  if (within(lead, 0xa4, 0xc6)) return COMMON - 0.1
  return within(lead, 0xc9, 0xf9) ? RARE : WRONG
}

const judgeKorean = (lead: number, trail: number): number => {
  if (trail < 0xa1) return RARE
  if (lead === 0xa1) return 0.5
  return within(lead, 0xb0, 0xc8) ? COMMON + 0.2 : RARE
}
