import { childOf, childrenOf, type Element, textOf } from '../../xml/tree.ts'
import { unfoldAlphabet } from './symbols.ts'

/** A formula as one readable line of text: `(a+b)/c`, `x^2`, `√(x)`. */
export const toLinear = (formula: Element): string => writeAll(formula).replace(/\s+/g, ' ').trim()

const writeAll = (element: Element | undefined): string => childrenOf(element).map(write).join('')
const part = (element: Element, name: string): string => writeAll(childOf(element, name)).trim()

const wrap = (text: string): string => (/^(?:[\p{L}\p{N}.,′]*|\([^()]*\))$/u.test(text) ? text : `(${text})`)
const mark = (sign: string, text: string): string => (text === '' ? '' : `${sign}${wrap(text)}`)

const value = (element: Element, properties: string, name: string): string | undefined =>
  childOf(childOf(element, properties), name)?.attributes['m:val']

const write = (element: Element): string => {
  switch (element.name) {
    case 'm:t':
    case 'w:t':
      return [...textOf(element)].map((char) => unfoldAlphabet(char)?.plain ?? char).join('')
    case 'm:f':
      return `${wrap(part(element, 'm:num'))}/${wrap(part(element, 'm:den'))}`
    case 'm:rad':
      return `${part(element, 'm:deg')}√${wrap(part(element, 'm:e'))}`
    case 'm:nary':
      return `${value(element, 'm:naryPr', 'm:chr') ?? '∫'}${mark('_', part(element, 'm:sub'))}${mark('^', part(element, 'm:sup'))} ${part(element, 'm:e')}`
    case 'm:d': {
      const inside = childrenOf(element, 'm:e').map((child) => writeAll(child).trim())
      const separator = value(element, 'm:dPr', 'm:sepChr') ?? '|'
      return `${value(element, 'm:dPr', 'm:begChr') ?? '('}${inside.join(separator)}${value(element, 'm:dPr', 'm:endChr') ?? ')'}`
    }
    case 'm:m':
      return childrenOf(element, 'm:mr')
        .map((row) =>
          childrenOf(row, 'm:e')
            .map((cell) => writeAll(cell).trim())
            .join(', '),
        )
        .join('; ')
    case 'm:eqArr':
      return childrenOf(element, 'm:e')
        .map((line) => writeAll(line).replaceAll('&', '').trim())
        .join('; ')
    case 'm:func':
      return `${part(element, 'm:fName')} ${part(element, 'm:e')}`
    case 'm:limLow':
      return `${part(element, 'm:e')}${mark('_', part(element, 'm:lim'))}`
    case 'm:limUpp':
      return `${part(element, 'm:e')}${mark('^', part(element, 'm:lim'))}`
    case 'm:sSub':
    case 'm:sSup':
    case 'm:sSubSup':
      return `${wrap(part(element, 'm:e'))}${mark('_', part(element, 'm:sub'))}${mark('^', part(element, 'm:sup'))}`
    case 'm:sPre':
      return `${mark('_', part(element, 'm:sub'))}${mark('^', part(element, 'm:sup'))}${part(element, 'm:e')}`
    case 'm:acc':
      return `${part(element, 'm:e')}${value(element, 'm:accPr', 'm:chr') ?? '\u0302'}`
    case 'w:del':
    case 'w:moveFrom':
      return ''
    default:
      return element.name.endsWith('Pr') ? '' : writeAll(element)
  }
}
