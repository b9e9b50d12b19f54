import { installedLanguages, OCR_LANGUAGES } from '../../../engines/tesseract-languages.ts'

/** Detection gives more names than there are kinds of writing for a reader. */
const READ_AS: Readonly<Record<string, string>> = {
  Fraktur: 'Latin',
  Hangul: 'Korean',
  Hiragana: 'Japanese',
  Katakana: 'Japanese',
}
/** Japanese and Korean pages hold Han characters, and their readers know them. */
const ALSO_HAN = new Set(['Japanese', 'Korean'])

/** Whether one of the languages is written in the script. */
export const coversScript = (languages: readonly string[], script: string): boolean => {
  const wanted = READ_AS[script] ?? script
  return languages.some((code) => {
    const language = OCR_LANGUAGES.find((one) => one.code === code)
    // What is not in the table was installed by someone who knows what it reads.
    return !language || language.script === wanted || (wanted === 'Han' && ALSO_HAN.has(language.script))
  })
}

/** The installed language to try on a script, if there is one. */
export const languageOfScript = (script: string, installed = installedLanguages()): string | undefined => {
  const wanted = READ_AS[script] ?? script
  return OCR_LANGUAGES.find(({ code, script: written }) => written === wanted && installed.includes(code))?.code
}
