import { isUtf8 } from 'node:buffer'
import { guessNameEncoding } from './name-encoding.ts'

/** Names of members as text. Those that are not UTF-8 are taken to share one encoding, which is guessed from all of them. */
export const decodeNames = async (
  names: readonly Buffer[],
): Promise<{ names: string[]; encoding: string | undefined }> => {
  const strange = names.filter((name) => !isUtf8(name))
  if (strange.length === 0) return { names: names.map((name) => name.toString('utf8')), encoding: undefined }
  const encoding = await guessNameEncoding(strange)
  const { default: iconv } = await import('iconv-lite')
  return {
    names: names.map((name) => (isUtf8(name) ? name.toString('utf8') : iconv.decode(name, encoding))),
    encoding,
  }
}

/** The parts of a name, without those that mean nothing. */
export const splitName = (name: string): string[] => name.split('/').filter((part) => part !== '' && part !== '.')

/** Whether a name stays below the folder that its archive would be unpacked to. */
export const staysInside = (name: string): boolean =>
  splitName(name).length > 0 &&
  !/^(?:\/|\\|[A-Za-z]:)/.test(name) &&
  !/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(name) &&
  !name.includes('\0')

/** A name that can be shown on one line: control characters, and those that turn the direction of writing, are spelt out. */
export const showName = (name: string): string =>
  name.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )

const MAX_LEVELS = 32

/** The name as the path of an artifact: folders in the midst of very many are left out. */
export const toArtifactName = (name: string): string => {
  const parts = splitName(name)
  if (parts.length <= MAX_LEVELS) return parts.join('/')
  return [...parts.slice(0, MAX_LEVELS / 2), ...parts.slice(-MAX_LEVELS / 2)].join('/')
}
