import type { HtmlElement } from '../../shared/html/tree.ts'

/** Elements that are looked through: what is short has few. */
const MAX_ELEMENTS = 500

/**
 * The text in an element on one line, where it is no longer than that; undefined where it is. Costs little however much
 * there is, so that elements inside each other can all be asked.
 */
export const clippedText = (element: HtmlElement, maxCharacters: number): string | undefined => {
  let text = ''
  let elements = 0
  const visit = (parent: HtmlElement): boolean => {
    if (++elements > MAX_ELEMENTS) return false
    for (const child of parent.children) {
      if (typeof child !== 'string') {
        if (!visit(child)) return false
        continue
      }
      // Blanks between elements may be long and say nothing.
      text += child.length > maxCharacters * 4 ? child.slice(0, maxCharacters * 4) : child
      if (text.length > maxCharacters * 8) return false
    }
    return true
  }
  if (!visit(element)) return undefined
  const shown = text.replace(/\s+/g, ' ').trim()
  return shown.length > maxCharacters ? undefined : shown
}
