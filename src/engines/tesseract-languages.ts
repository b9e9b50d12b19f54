import { readdirSync } from 'node:fs'
import type { Tool } from '../core/catalog.ts'

/** A language that set-up installs: Tesseract's name for it, ours, and the script it is written in. */
export type OcrLanguage = { code: string; name: string; script: Script }

/** Scripts by the names that Tesseract's detection gives them. */
export type Script = 'Latin' | 'Cyrillic' | 'Greek' | 'Arabic' | 'Hebrew' | 'Han' | 'Japanese' | 'Korean' | 'Devanagari'

/** Languages that set-up installs. The first of a script is the one to try where only the script is known. */
export const OCR_LANGUAGES: readonly OcrLanguage[] = [
  { code: 'eng', name: 'English', script: 'Latin' },
  { code: 'deu', name: 'German', script: 'Latin' },
  { code: 'fra', name: 'French', script: 'Latin' },
  { code: 'spa', name: 'Spanish', script: 'Latin' },
  { code: 'ita', name: 'Italian', script: 'Latin' },
  { code: 'por', name: 'Portuguese', script: 'Latin' },
  { code: 'nld', name: 'Dutch', script: 'Latin' },
  { code: 'pol', name: 'Polish', script: 'Latin' },
  { code: 'tur', name: 'Turkish', script: 'Latin' },
  { code: 'swe', name: 'Swedish', script: 'Latin' },
  { code: 'rus', name: 'Russian', script: 'Cyrillic' },
  { code: 'ukr', name: 'Ukrainian', script: 'Cyrillic' },
  { code: 'ell', name: 'Greek', script: 'Greek' },
  { code: 'ara', name: 'Arabic', script: 'Arabic' },
  { code: 'heb', name: 'Hebrew', script: 'Hebrew' },
  { code: 'chi_sim', name: 'Chinese, simplified', script: 'Han' },
  { code: 'chi_tra', name: 'Chinese, traditional', script: 'Han' },
  { code: 'jpn', name: 'Japanese', script: 'Japanese' },
  { code: 'kor', name: 'Korean', script: 'Korean' },
  { code: 'hin', name: 'Hindi', script: 'Devanagari' },
]

/** What is read unless told. */
export const DEFAULT_LANGUAGE = 'eng'

/** Where Debian's packages put what Tesseract has learned. */
export const TESSDATA = '/usr/share/tesseract-ocr/5/tessdata'

/** Orientation and script, which is no language. */
const ORIENTATION = 'osd'

/** Codes of the languages that are installed, those of our table first, in its order. */
export const installedLanguages = (folder = process.env.TESSDATA_PREFIX ?? TESSDATA): string[] => {
  const found = new Set(listTrained(folder))
  found.delete(ORIENTATION)
  const ours = OCR_LANGUAGES.map(({ code }) => code).filter((code) => found.has(code))
  return [...ours, ...[...found].filter((code) => !ours.includes(code)).sort()]
}

const listTrained = (folder: string): string[] => {
  try {
    return readdirSync(folder).flatMap((name) => /^(\w+)\.traineddata$/.exec(name)?.[1] ?? [])
  } catch {
    return []
  }
}

/** The program and what it has learned, as families declare them. */
export const TESSERACT_TOOLS: readonly Tool[] = [
  {
    name: 'tesseract',
    command: 'tesseract',
    versionArgs: ['--version'],
    debianPackage: 'tesseract-ocr',
    purpose: 'reads text in images',
  },
  {
    name: 'tesseract-osd',
    file: `${TESSDATA}/${ORIENTATION}.traineddata`,
    debianPackage: 'tesseract-ocr-osd',
    purpose: 'finds which way up a page is, and its script',
  },
  ...OCR_LANGUAGES.map(({ code, name }) => ({
    name: `tesseract-${code}`,
    file: `${TESSDATA}/${code}.traineddata`,
    debianPackage: `tesseract-ocr-${code.replaceAll('_', '-')}`,
    purpose: `reads ${name} in images`,
    ...(code === DEFAULT_LANGUAGE ? {} : { optional: true }),
  })),
]
