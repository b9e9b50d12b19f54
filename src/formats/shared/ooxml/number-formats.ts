import { writeRoman } from '../roman.ts'

/** a … z, aa, bb: Office repeats the letter, it does not count on. */
const letters = (number: number, alphabet: string): string => {
  const all = [...alphabet]
  if (number < 1) return String(number)
  const times = Math.ceil(number / all.length)
  return times > 20 ? String(number) : (all[(number - 1) % all.length] as string).repeat(times)
}

const LATIN = 'abcdefghijklmnopqrstuvwxyz'
const RUSSIAN = 'абвгдежзиклмнопрстуфхцчшщыэюя'
const KATAKANA = 'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン'
const IROHA = 'イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス'
const GANADA = '가나다라마바사아자차카타파하'
const CHOSUNG = 'ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ'
const STEMS = '甲乙丙丁戊己庚辛壬癸'
const BRANCHES = '子丑寅卯辰巳午未申酉戌亥'
const HEBREW = 'אבגדהוזחטיכלמנסעפצקרשת'
const ARABIC = 'أبتثجحخدذرزسشصضطظعغفقكلمنهوي'
const ABJAD = 'أبجدهوزحطيكلمنسعفصقرشتثخذضظغ'
const THAI = 'กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ'

const digits = (number: number, zero: number): string =>
  [...String(number)].map((digit) => (/\d/.test(digit) ? String.fromCodePoint(zero + Number(digit)) : digit)).join('')

const CJK_DIGITS = '〇一二三四五六七八九'
/** 十二, 二十, 一百零三: as counted aloud. */
const countChinese = (number: number): string => {
  if (number < 1 || number > 9_999)
    return [...String(number)].map((digit) => CJK_DIGITS[Number(digit)] ?? digit).join('')
  const units = ['', '十', '百', '千']
  const figures = [...String(number)].map(Number)
  let out = ''
  let isGap = false
  for (const [index, figure] of figures.entries()) {
    const unit = units[figures.length - 1 - index]
    if (figure === 0) {
      isGap = true
      continue
    }
    out += `${isGap && out !== '' ? '零' : ''}${figure === 1 && unit === '十' && out === '' ? '' : CJK_DIGITS[figure]}${unit}`
    isGap = false
  }
  return out
}

const hebrewNumber = (number: number): string => {
  if (number < 1 || number > 499) return String(number)
  const tens = 'יכלמנסעפצ'
  const hundreds = 'קרשת'
  const rest = number % 100
  const low =
    rest === 15
      ? 'טו'
      : rest === 16
        ? 'טז'
        : `${rest >= 10 ? tens[Math.floor(rest / 10) - 1] : ''}${rest % 10 ? HEBREW[(rest % 10) - 1] : ''}`
  return `${number >= 100 ? hundreds[Math.floor(number / 100) - 1] : ''}${low}`
}

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = '_ _ twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const words = (number: number): string => {
  if (number < 20) return ONES[number] ?? String(number)
  if (number < 100) return `${TENS[Math.floor(number / 10)]}${number % 10 ? `-${ONES[number % 10]}` : ''}`
  if (number < 1000) return `${ONES[Math.floor(number / 100)]} hundred${number % 100 ? ` ${words(number % 100)}` : ''}`
  return String(number)
}
const IRREGULAR: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
}
const ordinalWords = (number: number): string =>
  words(number).replace(
    /[a-z]+$/,
    (last) => IRREGULAR[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`),
  )
const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const ordinal = (number: number): string => {
  const isTeen = Math.floor((number % 100) / 10) === 1
  return `${number}${isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')}`
}

const enclosed = (number: number, first: number, count: number): string =>
  number >= 1 && number <= count ? String.fromCodePoint(first + number - 1) : String(number)

const FORMATS: Readonly<Record<string, (number: number) => string>> = {
  decimalZero: (number) => String(number).padStart(2, '0'),
  upperRoman: (number) => writeRoman(number).toUpperCase(),
  lowerRoman: writeRoman,
  upperLetter: (number) => letters(number, LATIN).toUpperCase(),
  lowerLetter: (number) => letters(number, LATIN),
  ordinal,
  cardinalText: (number) => capitalize(words(number)),
  ordinalText: (number) => capitalize(ordinalWords(number)),
  hex: (number) => number.toString(16).toUpperCase(),
  chicago: (number) => letters(number, '*†‡§'),
  numberInDash: (number) => `- ${number} -`,
  decimalEnclosedCircle: (number) => enclosed(number, 0x2460, 20),
  decimalEnclosedCircleChinese: (number) => enclosed(number, 0x2460, 20),
  decimalEnclosedFullstop: (number) => enclosed(number, 0x2488, 20),
  decimalEnclosedParen: (number) => enclosed(number, 0x2474, 20),
  decimalFullWidth: (number) => digits(number, 0xff10),
  decimalFullWidth2: (number) => digits(number, 0xff10),
  ideographDigital: (number) => [...String(number)].map((digit) => CJK_DIGITS[Number(digit)] ?? digit).join(''),
  taiwaneseDigital: (number) => [...String(number)].map((digit) => CJK_DIGITS[Number(digit)] ?? digit).join(''),
  japaneseDigitalTenThousand: (number) =>
    [...String(number)].map((digit) => CJK_DIGITS[Number(digit)] ?? digit).join(''),
  japaneseCounting: countChinese,
  chineseCounting: countChinese,
  chineseCountingThousand: countChinese,
  taiwaneseCounting: countChinese,
  taiwaneseCountingThousand: countChinese,
  koreanCounting: countChinese,
  koreanDigital: (number) =>
    [...String(number)].map((digit) => '영일이삼사오육칠팔구'[Number(digit)] ?? digit).join(''),
  ideographEnclosedCircle: (number) => enclosed(number, 0x3280, 10),
  ideographTraditional: (number) => letters(number, STEMS),
  ideographZodiac: (number) => letters(number, BRANCHES),
  aiueo: (number) => letters(number, KATAKANA),
  aiueoFullWidth: (number) => letters(number, KATAKANA),
  iroha: (number) => letters(number, IROHA),
  irohaFullWidth: (number) => letters(number, IROHA),
  ganada: (number) => letters(number, GANADA),
  chosung: (number) => letters(number, CHOSUNG),
  russianLower: (number) => letters(number, RUSSIAN),
  russianUpper: (number) => letters(number, RUSSIAN).toUpperCase(),
  hebrew1: hebrewNumber,
  hebrew2: (number) => letters(number, HEBREW),
  arabicAlpha: (number) => letters(number, ARABIC),
  arabicAbjad: (number) => letters(number, ABJAD),
  hindiNumbers: (number) => digits(number, 0x966),
  thaiNumbers: (number) => digits(number, 0xe50),
  thaiLetters: (number) => letters(number, THAI),
}

/** A number as Office writes it in a format (`w:numFmt`); plain where the format is not known. */
export const formatNumber = (number: number, format: string): string => FORMATS[format]?.(number) ?? String(number)
