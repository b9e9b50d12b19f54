const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

let tags: ReadonlyMap<string, string> | undefined
/** English names of languages, such as providers use them, to their BCP-47 tags. */
const readTags = (): ReadonlyMap<string, string> => {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  const codes = [...LETTERS].flatMap((first) => [...LETTERS].map((second) => `${first}${second}`))
  return new Map(
    codes.flatMap((code) => {
      const name = names.of(code)
      return name ? [[name.toLowerCase(), code] as const] : []
    }),
  )
}

/** The BCP-47 tag of a language given by its tag or by its English name; null where neither is known. */
export const toLanguageTag = (language: string): string | null => {
  tags ??= readTags()
  const named = tags.get(language.trim().toLowerCase())
  if (named) return named
  try {
    return Intl.getCanonicalLocales(language.trim().replaceAll('_', '-'))[0] ?? null
  } catch {
    return null
  }
}
