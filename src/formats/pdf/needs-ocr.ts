import { drawPage, type PdfFile } from '../../engines/liteparse.ts'
import { openPicture } from '../../engines/sharp.ts'
import type { PageContent } from '../shared/layout/page-content.ts'

/** What the text of a page is worth: `sparse` may be all that there is, or a stamp on a scan. */
export type TextVerdict = 'none' | 'garbled' | 'sparse' | 'good'

/** A page with more letters has its text. */
const SPARSE_LETTERS = 200
/** Fewer characters tell nothing about their kind. */
const MIN_CHARACTERS = 8
/** Share of characters that stand for nothing. */
const MAX_MEANINGLESS = 0.3
/** A few characters of which fewer are letters are signs of a font without a meaning. */
const MIN_LETTERS = 0.4
/** Words that can be judged by their vowels, and the share of them without any that no language has. */
const MIN_WORDS = 20
const MAX_VOWELLESS = 0.5

/** Replacement characters, private use, and what is no character at all. */
const MEANINGLESS = /[\ufffd\p{Co}\p{Cn}\p{Cc}]/gu
const JUDGED_WORD = /(?<![\p{L}\p{N}])\p{Script=Latin}{4,20}(?![\p{L}\p{N}])/gu
const VOWEL = /[aeiouyæøœıɑɛ]/i

/** Judges the text that a page brings. */
export const judgeText = ({ runs }: Pick<PageContent, 'runs'>): TextVerdict => {
  const text = runs.map((run) => run.text).join(' ')
  const characters = text.replace(/\s/g, '')
  if (characters === '') return 'none'
  if (isGarbled(text, [...characters].length)) return 'garbled'
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  if (letters >= SPARSE_LETTERS) return 'good'
  return letters < characters.length * MIN_LETTERS ? 'garbled' : 'sparse'
}

const isGarbled = (text: string, characters: number): boolean => {
  const meaningless = text.replace(/\s/g, '').match(MEANINGLESS)?.length ?? 0
  if (characters >= MIN_CHARACTERS ? meaningless > characters * MAX_MEANINGLESS : meaningless === characters)
    return true
  // A font whose codes stand for other letters makes words that nobody could speak.
  const words = text.match(JUDGED_WORD) ?? []
  const vowelless = words.filter((word) => !VOWEL.test(word.normalize('NFD'))).length
  return words.length >= MIN_WORDS && vowelless > words.length * MAX_VOWELLESS
}

/** Whether a page must be read from its picture. Blank pages are found when they are drawn. */
export const needsOcr = async (file: PdfFile, page: PageContent): Promise<boolean> => {
  const verdict = judgeText(page)
  return verdict === 'sparse' ? (await measureInkBeside(file, page)) > MIN_INK_BESIDE : verdict !== 'good'
}

/** Share of a page that is covered by something else than its text: more than a letterhead takes. */
const MIN_INK_BESIDE = 0.04
const LOOK_DPI = 40
const MAX_LOOK_PIXELS = 4_000_000
const POINTS_PER_INCH = 72
const INK_CONTRAST = 40
/** Around the boxes of letters, for what hangs over. */
const MARGIN_POINTS = 3

const measureInkBeside = async (file: PdfFile, page: PageContent): Promise<number> => {
  const dpi = Math.min(LOOK_DPI, Math.sqrt(MAX_LOOK_PIXELS / (page.width * page.height)) * POINTS_PER_INCH)
  const drawn = await drawPage(file, page.number, dpi)
  if (!drawn) return 0
  const picture = (await openPicture({ input: drawn.png })).flatten({ background: 'white' }).greyscale()
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
  const paper = data.toSorted()[data.length >> 1] ?? 255
  const perPoint = info.width / page.width
  for (const { x, y, width, height } of page.runs) {
    const left = Math.max(0, Math.floor((x - MARGIN_POINTS) * perPoint))
    const right = Math.min(info.width, Math.ceil((x + width + MARGIN_POINTS) * perPoint))
    const bottom = Math.min(info.height, Math.ceil((y + height + MARGIN_POINTS) * perPoint))
    for (let row = Math.max(0, Math.floor((y - MARGIN_POINTS) * perPoint)); row < bottom && left < right; row++) {
      data.fill(paper, row * info.width + left, row * info.width + right)
    }
  }
  let ink = 0
  for (const grey of data) if (Math.abs(grey - paper) > INK_CONTRAST) ink++
  return ink / data.length
}
