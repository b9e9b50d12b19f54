/** Fonts whose letters are pictures: text in them means what the picture shows. A dot marks a place without a sign. */
const SYMBOL_LOW = ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼'
const SYMBOL_HIGH = '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…|─↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪.〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭'

/** Pairs of a code in hexadecimal and its sign. */
const readTable = (pairs: string): ReadonlyMap<number, string> =>
  new Map(
    pairs
      .trim()
      .split(/\s+/)
      .map((pair) => [Number.parseInt(pair.slice(0, 2), 16), pair.slice(2)]),
  )

const WINGDINGS = readTable(`
21✏ 22✂ 23✁ 24👓 25🔔 26📖 28☎ 29✆ 2a✉ 36⌛ 37⌨ 3a🖥 3c💾 3e✇ 3f✍ 41✌ 42👌 43👍 44👎 45☜ 46☞ 47☝ 48☟ 4a☺ 4b😐 4c☹ 4d💣
4e☠ 51✈ 52☼ 54❄ 58✠ 59✡ 5a☪ 5b☯ 6c● 6d❍ 6e■ 6f□ 70□ 71❑ 72❒ 73⬧ 74⧫ 75◆ 76❖ 77⬥ 78☒ 7b❀ 7c✿ 7d❝ 7e❞ 80⓪ 8b⓿ 9e· 9f•
a0▪ a1○ a2○ a3○ a4◉ a5◎ a7▪ a8☐ aa✦ ab★ ac✶ ad✴ ae✹ af✵ b1⌖ b5✪ b6✰ d5⌫ d6⌦ d8➢ dc➲ df← e0→ e1↑ e2↓ e3↖ e4↗ e5↙ e6↘
e7← e8➔ e9↑ ea↓ ef⇦ f0⇨ f1⇧ f2⇩ f3⬄ f4⇳ fb✗ fc✓ fd☒ fe☑
`)
const WINGDINGS_2 = readTable(`
4f✗ 50✓ 51☒ 52☑ 53☒ 54☒ 56⊗ 97● 98• 99● a2■ a3□ ae◆ af◇ b4◊ ea★
`)
const WINGDINGS_3 = readTable(`
66← 67→ 68↑ 69↓ 70▲ 71▼ 72△ 73▽ 74◀ 75▶ 76◁ 77▷ 7d▶ 84◀ 86▶
`)
const WEBDINGS = readTable(`
33◀ 34▶ 35▲ 36▼ 3c■ 3d▪ 61✔ 63□ 67■ 6e● 72✖
`)

const CIRCLED_ONE = 0x2460
const BLACK_CIRCLED_ONE = 0x2776

const lookUp = (font: string, code: number): string | undefined => {
  if (font === 'symbol') return code < 0xa0 ? SYMBOL_LOW[code - 0x20] : [...SYMBOL_HIGH][code - 0xa0]
  if (font === 'wingdings 2') return WINGDINGS_2.get(code)
  if (font === 'wingdings 3') return WINGDINGS_3.get(code)
  if (font === 'webdings') return WEBDINGS.get(code)
  if (font !== 'wingdings') return undefined
  if (code > 0x80 && code < 0x8b) return String.fromCodePoint(CIRCLED_ONE + code - 0x81)
  if (code > 0x8b && code < 0x96) return String.fromCodePoint(BLACK_CIRCLED_ONE + code - 0x8c)
  return WINGDINGS.get(code)
}

/** Whether text in this font must be looked up sign by sign. */
export const isSymbolFont = (font: string | undefined): boolean =>
  font !== undefined && /^(?:symbol|wingdings(?: [23])?|webdings)$/i.test(font)

/** A sign of a symbol font in Unicode; undefined where we know none. Office writes the code also in the private area. */
export const symbolOf = (font: string | undefined, code: number): string | undefined => {
  const place = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code
  if (place < 0x20 || place > 0xff) return String.fromCodePoint(code)
  const sign = lookUp((font ?? '').toLowerCase(), place)
  return sign === undefined || sign === '.' ? undefined : sign
}

/** Text in a symbol font as Unicode; signs without one are left out. */
export const decodeSymbols = (text: string, font: string | undefined): string =>
  [...text].map((char) => (char === ' ' ? char : (symbolOf(font, char.codePointAt(0) ?? 0) ?? ''))).join('')

/** The sign of a bullet, whatever font it is taken from. */
export const bulletOf = (text: string, font: string | undefined): string => {
  const [char = ''] = text.trim()
  if (char === '') return '•'
  const code = char.codePointAt(0) ?? 0
  const isPrivate = code >= 0xf000 && code <= 0xf0ff
  if (!isSymbolFont(font)) return isPrivate ? (symbolOf('symbol', code) ?? '•') : text.trim()
  return symbolOf(font, code) ?? '•'
}
