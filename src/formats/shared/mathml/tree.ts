/** An element of a formula in MathML, from XML or from HTML, whatever its prefix. */
export type MathElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string | undefined>>
  readonly children: readonly (MathElement | string)[]
}

/** The name without its prefix. */
export const nameOf = ({ name }: MathElement): string => name.slice(name.lastIndexOf(':') + 1)

export const elementsOf = ({ children }: MathElement): MathElement[] =>
  children.filter((child): child is MathElement => typeof child !== 'string')

/** All text in an element. */
export const textBelow = (element: MathElement): string =>
  element.children.map((child) => (typeof child === 'string' ? child : textBelow(child))).join('')
