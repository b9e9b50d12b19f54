import type { Block, Inline, TextInline } from '../../shared/document/model.ts'
import { toLatex } from '../../shared/ooxml/math/to-latex.ts'
import { toLinear } from '../../shared/ooxml/math/to-linear.ts'
import type { Relationships } from '../../shared/ooxml/package.ts'
import { decodeSymbols, isSymbolFont } from '../../shared/ooxml/symbol-fonts.ts'
import { childOf, childrenOf, type Element, findAll, textOf } from '../../shared/xml/tree.ts'
import { type Bullet, bulletOfLevel, createCounter, readBullet } from './bullets.ts'

/** Gives the bullet of a level where the text itself has none. */
export type InheritedBullet = (level: number) => Bullet | undefined

/** The paragraphs of a text: items where they have bullets, else paragraphs. */
export const readTextBody = (
  body: Element | undefined,
  relationships: Relationships,
  inherited: InheritedBullet = () => undefined,
): Block[] => {
  const counter = createCounter()
  const listStyle = childOf(body, 'a:lstStyle')
  return childrenOf(body, 'a:p').flatMap((paragraph): Block[] => {
    const properties = childOf(paragraph, 'a:pPr')
    const level = Math.min(8, Math.max(0, Number(properties?.attributes.lvl) || 0))
    const content = readParagraph(paragraph, relationships)
    // PowerPoint shows no bullet, and counts none, before nothing.
    if (content.length === 0) return []
    const direction = properties?.attributes.rtl === '1' ? { direction: 'rtl' as const } : {}
    const bullet = readBullet(properties) ?? bulletOfLevel(listStyle, level) ?? inherited(level) ?? { kind: 'none' }
    const marker = counter.next(bullet, level)
    const [only] = content
    if (content.length === 1 && only?.kind === 'formula') return [{ ...only }]
    if (bullet.kind === 'none') return [{ kind: 'paragraph', content, ...direction }]
    return [{ kind: 'item', depth: level, ordered: bullet.kind === 'number', marker, content, ...direction }]
  })
}

/** What a paragraph says, without blanks at its ends. */
const readParagraph = (paragraph: Element, relationships: Relationships): Inline[] => {
  const content: Inline[] = []
  for (const child of childrenOf(paragraph)) {
    switch (child.name) {
      case 'a:r':
      case 'a:fld':
        addRun(content, child, relationships)
        break
      case 'a:br':
        content.push({ kind: 'break' })
        break
      case 'a14:m':
        for (const formula of findAll(child, 'm:oMath')) {
          const latex = toLatex(formula)
          if (latex !== '') content.push({ kind: 'formula', text: toLinear(formula), latex })
        }
    }
  }
  return trim(content)
}

const addRun = (content: Inline[], run: Element, relationships: Relationships): void => {
  const properties = childOf(run, 'a:rPr')
  const font = childOf(properties, 'a:sym')?.attributes.typeface ?? childOf(properties, 'a:latin')?.attributes.typeface
  const raw = childrenOf(run, 'a:t').map(textOf).join('')
  const text = clean(isSymbolFont(font) ? decodeSymbols(raw, font) : raw)
  if (text === '') return
  const style = styleOf(properties, relationships)
  const last = content.at(-1)
  if (last?.kind === 'text' && isSameStyle(last, style)) last.text += text
  else content.push({ kind: 'text', text, ...style })
}

/** A vertical tab is a line break of old, and soft hyphens are no part of the spelling. */
const clean = (text: string): string =>
  /[\v\n\r\t\u00ad]/.test(text) ? text.replace(/[\v\n\r\t]+/g, ' ').replaceAll('\u00ad', '') : text

type Style = Omit<TextInline, 'kind' | 'text'>

const styleOf = (properties: Element | undefined, relationships: Relationships): Style => {
  if (!properties) return {}
  const { b, i, u, strike, baseline } = properties.attributes
  const isOn = (value: string | undefined) => value === '1' || value === 'true'
  const raised = Number(baseline) || 0
  const link = childOf(properties, 'a:hlinkClick')?.attributes['r:id']
  const target = link ? relationships.get(link) : undefined
  const href = target?.isExternal ? target.target : undefined
  return {
    ...(isOn(b) ? { bold: true } : {}),
    ...(isOn(i) ? { italic: true } : {}),
    ...(u && u !== 'none' && !href ? { underline: true } : {}),
    ...(strike && strike !== 'noStrike' ? { strike: true } : {}),
    ...(raised === 0 ? {} : { script: raised > 0 ? ('super' as const) : ('sub' as const) }),
    ...(href ? { href } : {}),
  }
}

const isSameStyle = (a: Style, b: Style): boolean =>
  a.bold === b.bold &&
  a.italic === b.italic &&
  a.underline === b.underline &&
  a.strike === b.strike &&
  a.script === b.script &&
  a.href === b.href

const isEmpty = (inline: Inline | undefined): boolean =>
  inline?.kind === 'break' || (inline?.kind === 'text' && inline.text.trim() === '')

const trim = (content: readonly Inline[]): Inline[] => {
  let from = 0
  let to = content.length
  while (from < to && isEmpty(content[from])) from++
  while (to > from && isEmpty(content[to - 1])) to--
  return content.slice(from, to)
}
