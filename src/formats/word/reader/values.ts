import { childOf, type Element } from '../../shared/xml/tree.ts'

/** The `w:val` of a child element; undefined where there is no such child. */
export const settingOf = (element: Element | undefined, name: string): string | undefined => {
  const child = childOf(element, name)
  return child && (child.attributes['w:val'] ?? '')
}

/** A whole number in `w:val`. */
export const numberOf = (element: Element | undefined, name: string): number | undefined =>
  parseWhole(settingOf(element, name))

/** A whole number; undefined for anything else. */
export const parseWhole = (text: string | undefined): number | undefined =>
  text !== undefined && /^\s*-?\d{1,9}\s*$/.test(text) ? Number(text) : undefined

/** A switch: on where the element is there and does not say otherwise, undefined where it is missing. */
export const toggleOf = (element: Element | undefined, name: string): boolean | undefined => {
  const child = childOf(element, name)
  return child && !/^(?:0|false|off|none)$/.test(child.attributes['w:val'] ?? '')
}
