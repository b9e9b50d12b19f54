import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { primaryLanguage } from './language.ts'

/** A font: its family as the file itself names it, and the files that hold it. */
type Font = { family: string; files: readonly string[] }

const LATIN: Font = {
  family: 'Noto Sans',
  files: ['fonts-latin/fonts/NotoSans-Regular.ttf', 'fonts-latin/fonts/NotoSans-SemiBold.ttf'],
}
const ARABIC: Font = {
  family: 'Noto Naskh Arabic',
  files: ['fonts-arabic/fonts/NotoNaskhArabic-Regular.ttf', 'fonts-arabic/fonts/NotoNaskhArabic-Bold.ttf'],
}
const HEBREW: Font = {
  family: 'Noto Sans Hebrew',
  files: ['fonts-hebrew/fonts/NotoSansHebrew-Regular.ttf', 'fonts-hebrew/fonts/NotoSansHebrew-Bold.ttf'],
}
// One weight: these are many megabytes each.
const CHINESE: Font = { family: 'Noto Sans S Chinese', files: ['fonts-sc/fonts/NotoSansHans-Regular.otf'] }
const JAPANESE: Font = { family: 'Noto Sans Japanese', files: ['fonts-jp/fonts/NotoSansJP-Regular.otf'] }
const KOREAN: Font = { family: 'Noto Sans Korean', files: ['fonts-kr/fonts/NotoSansKR-Regular.otf'] }

const HAN = /\p{Script=Han}/u
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u
const HANGUL = /\p{Script=Hangul}/u

/** The fonts that a text needs, the better ones first. Han characters look different in each language that uses them. */
export const chooseFonts = (text: string, language: string): Font[] => {
  const fonts = new Set([LATIN])
  if (/\p{Script=Arabic}/u.test(text)) fonts.add(ARABIC)
  if (/\p{Script=Hebrew}/u.test(text)) fonts.add(HEBREW)
  if (HAN.test(text) || KANA.test(text)) fonts.add(chooseHan(text, language))
  if (HANGUL.test(text)) fonts.add(KOREAN)
  // The fonts of the other languages hold only the characters that these write with.
  if (HAN.test(text)) fonts.add(CHINESE)
  return [...fonts]
}

const chooseHan = (text: string, language: string): Font => {
  const primary = primaryLanguage(language)
  if (primary === 'zh' || primary === 'yue') return CHINESE
  if (primary === 'ja' || KANA.test(text)) return JAPANESE
  return primary === 'ko' || HANGUL.test(text) ? KOREAN : CHINESE
}

/** The files of fonts, from the packages that bring them. */
export const loadFonts = (fonts: readonly Font[]): Promise<Buffer[]> => {
  const { resolve } = createRequire(import.meta.url)
  return Promise.all(
    fonts.flatMap(({ files }) =>
      files.map((file) => {
        const [name = '', ...rest] = file.split('/')
        // The entry point lies in a folder beside that of the fonts.
        return readFile(join(dirname(resolve(`@embedpdf/${name}`)), '..', ...rest))
      }),
    ),
  )
}
