import { formatNumber } from '../../shared/ooxml/number-formats.ts'
import { bulletOf } from '../../shared/ooxml/symbol-fonts.ts'
import { childOf, type Element } from '../../shared/xml/tree.ts'

/** What stands before a paragraph; `none` is a decision too. */
export type Bullet =
  | { kind: 'none' }
  | { kind: 'sign'; sign: string }
  | { kind: 'number'; scheme: string; startAt: number }

/** The bullet that paragraph properties name themselves. */
export const readBullet = (properties: Element | undefined): Bullet | undefined => {
  if (!properties) return undefined
  if (childOf(properties, 'a:buNone')) return { kind: 'none' }
  const sign = childOf(properties, 'a:buChar')?.attributes.char
  if (sign !== undefined) {
    return { kind: 'sign', sign: bulletOf(sign, childOf(properties, 'a:buFont')?.attributes.typeface) }
  }
  if (childOf(properties, 'a:buBlip')) return { kind: 'sign', sign: '•' }
  const number = childOf(properties, 'a:buAutoNum')?.attributes
  if (!number) return undefined
  return { kind: 'number', scheme: number.type ?? 'arabicPeriod', startAt: Math.max(1, Number(number.startAt) || 1) }
}

/** The bullet that a list style gives to a level, 0 to 8. */
export const bulletOfLevel = (listStyle: Element | undefined, level: number): Bullet | undefined =>
  readBullet(childOf(listStyle, `a:lvl${level + 1}pPr`)) ?? (level >= 0 ? undefined : readBullet(listStyle))

/** Counts numbered paragraphs of one text. */
export const createCounter = (): { next(bullet: Bullet, level: number): string } => {
  const counts: { scheme: string; startAt: number; value: number }[] = []
  return {
    next(bullet, level) {
      // A paragraph of an outer level ends the counting of the inner ones.
      counts.length = Math.min(counts.length, level + 1)
      if (bullet.kind !== 'number') {
        delete counts[level]
        return bullet.kind === 'sign' ? bullet.sign : ''
      }
      const known = counts[level]
      const goesOn = known !== undefined && known.scheme === bullet.scheme && known.startAt === bullet.startAt
      const value = goesOn ? known.value + 1 : bullet.startAt
      counts[level] = { scheme: bullet.scheme, startAt: bullet.startAt, value }
      return writeNumber(value, bullet.scheme)
    },
  }
}

const FIGURES: readonly (readonly [prefix: string, format: string])[] = [
  ['alphaLc', 'lowerLetter'],
  ['alphaUc', 'upperLetter'],
  ['romanLc', 'lowerRoman'],
  ['romanUc', 'upperRoman'],
  ['circleNum', 'decimalEnclosedCircle'],
  ['ea1Chs', 'chineseCounting'],
  ['ea1Cht', 'chineseCounting'],
  ['ea1Jpn', 'japaneseCounting'],
  ['hebrew2', 'hebrew2'],
  ['thaiAlpha', 'thaiLetters'],
  ['thaiNum', 'thaiNumbers'],
  ['hindiNum', 'hindiNumbers'],
  ['arabicDb', 'decimalFullWidth'],
  ['arabic1', 'arabicAlpha'],
  ['arabic2', 'arabicAbjad'],
]

/** A number in one of the schemes of PowerPoint: `alphaLcParenR` is `a)`. */
const writeNumber = (value: number, scheme: string): string => {
  const format = FIGURES.find(([prefix]) => scheme.startsWith(prefix))?.[1] ?? 'decimal'
  const figure = formatNumber(value, format)
  if (scheme.endsWith('ParenBoth')) return `(${figure})`
  if (scheme.endsWith('ParenR')) return `${figure})`
  if (scheme.endsWith('Minus')) return `${figure} -`
  return scheme.endsWith('Period') ? `${figure}.` : figure
}
