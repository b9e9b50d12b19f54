import { symbolOf } from '../../shared/ooxml/symbol-fonts.ts'
import { childOf, childrenOf, type Element } from '../../shared/xml/tree.ts'
import { numberOf, toggleOf } from './values.ts'

/** A field that has begun: first its instruction is read, then what it shows. */
export type Field = {
  instruction: string
  phase: 'instruction' | 'result'
  /** Address of a link, once the instruction is known. */
  href: string | undefined
  /** What a form field shows that has no text of its own. */
  formText: string | undefined
}

/** Begins a field at its `w:fldChar`. */
export const beginField = (mark: Element): Field => ({
  instruction: '',
  phase: 'instruction',
  href: undefined,
  formText: formTextOf(childOf(mark, 'w:ffData')),
})

/** The address that a `HYPERLINK` instruction names; places in the same document begin with `#`. */
export const linkOf = (instruction: string): string | undefined => {
  const words = splitInstruction(instruction)
  if (words[0]?.toUpperCase() !== 'HYPERLINK') return undefined
  let address = ''
  let place = ''
  for (let at = 1; at < words.length; at++) {
    const word = words[at] as string
    if (/^\\l$/i.test(word)) place = words[++at] ?? ''
    else if (/^\\[tmno]$/i.test(word)) at += /^\\[to]$/i.test(word) ? 1 : 0
    else if (address === '' && !word.startsWith('\\')) address = word
  }
  return address === '' && place === '' ? undefined : `${address}${place === '' ? '' : `#${place}`}`
}

/** What a field shows that holds no result of its own. */
export const shownWithoutResult = ({ instruction, formText }: Field): string => {
  if (formText !== undefined) return formText
  const words = splitInstruction(instruction)
  if (words[0]?.toUpperCase() !== 'SYMBOL') return ''
  const code = Number(words[1])
  const font = words[words.findIndex((word) => /^\\f$/i.test(word)) + 1]
  return Number.isInteger(code) && code > 0 && code < 0x110000 ? (symbolOf(font, code) ?? '') : ''
}

const splitInstruction = (instruction: string): string[] =>
  [...instruction.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => (match[1] ?? match[2] ?? '').replaceAll('\\\\', '\\'))

const formTextOf = (data: Element | undefined): string | undefined => {
  const box = childOf(data, 'w:checkBox')
  if (box) return (toggleOf(box, 'w:checked') ?? toggleOf(box, 'w:default')) ? '☒' : '☐'
  const list = childOf(data, 'w:ddList')
  if (!list) return undefined
  const chosen = numberOf(list, 'w:result') ?? numberOf(list, 'w:default') ?? 0
  return childrenOf(list, 'w:listEntry')[chosen]?.attributes['w:val']
}
