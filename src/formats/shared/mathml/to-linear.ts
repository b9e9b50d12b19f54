import { unfoldAlphabet } from '../ooxml/math/symbols.ts'
import { elementsOf, type MathElement, nameOf, textBelow } from './tree.ts'

/** A formula in MathML as one readable line of text: `(a+b)/c`, `x^2`, `√(x)`. */
export const toLinear = (formula: MathElement): string => writeAll(formula).replace(/\s+/g, ' ').trim()

const writeAll = (element: MathElement): string => elementsOf(element).map(write).join('')

const wrap = (text: string): string => (/^(?:[\p{L}\p{N}.,′]*|\([^()]*\)|.)$/u.test(text) ? text : `(${text})`)
const mark = (sign: string, text: string): string => (text === '' ? '' : `${sign}${wrap(text)}`)
const at = (element: MathElement, index: number): string => {
  const child = elementsOf(element)[index]
  return child ? write(child).trim() : ''
}

const write = (element: MathElement): string => {
  switch (nameOf(element)) {
    case 'mi':
    case 'mn':
    case 'mo':
    case 'ms':
    case 'mtext':
      return [
        ...textBelow(element)
          .replace(/[\u2061-\u2064]/g, '')
          .trim(),
      ]
        .map((char) => unfoldAlphabet(char)?.plain ?? char)
        .join('')
    case 'mspace':
      return ' '
    case 'mfrac':
      return `${wrap(at(element, 0))}/${wrap(at(element, 1))}`
    case 'msqrt':
      return `√${wrap(writeAll(element).trim())}`
    case 'mroot':
      return `${at(element, 1)}√${wrap(at(element, 0))}`
    case 'msub':
    case 'munder':
      return `${wrap(at(element, 0))}${mark('_', at(element, 1))}`
    case 'msup':
      return `${wrap(at(element, 0))}${mark('^', at(element, 1))}`
    case 'mover':
      return /^[\p{Sk}\p{M}^~.→]$/u.test(at(element, 1))
        ? at(element, 0)
        : `${wrap(at(element, 0))}${mark('^', at(element, 1))}`
    case 'msubsup':
    case 'munderover':
      return `${wrap(at(element, 0))}${mark('_', at(element, 1))}${mark('^', at(element, 2))}`
    case 'mfenced':
      return `${element.attributes.open ?? '('}${elementsOf(element).map(write).join(', ')}${element.attributes.close ?? ')'}`
    case 'mtable':
      return elementsOf(element)
        .map((line) => elementsOf(line).map(writeAll).join(', '))
        .join('; ')
    case 'semantics':
      return at(element, 0)
    case 'annotation':
    case 'annotation-xml':
      return ''
    default:
      return writeAll(element)
  }
}
