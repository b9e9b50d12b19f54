import { childOf, type Element } from '../../shared/xml/tree.ts'
import { settingOf, toggleOf } from './values.ts'

/** What is set on characters, as far as it matters to the text. */
export type RunProperties = {
  bold?: boolean | undefined
  italic?: boolean | undefined
  underline?: boolean | undefined
  strike?: boolean | undefined
  hidden?: boolean | undefined
  script?: 'super' | 'sub' | 'none' | undefined
  font?: string | undefined
  /** Name of a character style. */
  style?: string | undefined
}

/** Reads `w:rPr`; what it does not mention stays undefined. */
export const readRunProperties = (properties: Element | undefined): RunProperties => {
  if (!properties) return NONE
  const align = settingOf(properties, 'w:vertAlign')
  return {
    bold: toggleOf(properties, 'w:b'),
    italic: toggleOf(properties, 'w:i'),
    underline: toggleOf(properties, 'w:u'),
    strike: toggleOf(properties, 'w:strike') ?? toggleOf(properties, 'w:dstrike'),
    hidden: toggleOf(properties, 'w:vanish'),
    script:
      align === undefined ? undefined : align === 'superscript' ? 'super' : align === 'subscript' ? 'sub' : 'none',
    font: fontOf(properties),
    style: settingOf(properties, 'w:rStyle'),
  }
}
const NONE: RunProperties = {}

/** The font of ordinary characters. */
export const fontOf = (properties: Element | undefined): string | undefined => {
  const fonts = childOf(properties, 'w:rFonts')
  return fonts?.attributes['w:ascii'] ?? fonts?.attributes['w:hAnsi']
}

/** Puts what `over` mentions on top of what `under` says. */
export const layRunProperties = (under: RunProperties, over: RunProperties): RunProperties => ({
  bold: over.bold ?? under.bold,
  italic: over.italic ?? under.italic,
  underline: over.underline ?? under.underline,
  strike: over.strike ?? under.strike,
  hidden: over.hidden ?? under.hidden,
  script: over.script ?? under.script,
  font: over.font ?? under.font,
  style: over.style ?? under.style,
})
