import type { InlineStyle } from '../../shared/document/inline-content.ts'
import { childOf, childrenOf, type Element } from '../../shared/xml/tree.ts'
import { type ListStyle, readListStyle } from './list-styles.ts'

/** What a paragraph's style makes of it. */
export type ParagraphStyle = {
  kind: 'title' | 'subtitle' | 'caption' | 'quote' | 'code' | undefined
  outlineLevel: number | undefined
  listStyle: string | undefined
  isRightToLeft: boolean
  breaksBefore: boolean
  /** False where the style takes the label off an item of a list. */
  isNumbered: boolean
  text: TextStyle
}
export type TextStyle = InlineStyle & { hidden?: boolean }

type RawStyle = { parent: string | undefined; element: Element }

/** All styles of a document, those of its own and those made on the way. */
export type Styles = {
  add(element: Element): void
  paragraph(name: string | undefined): ParagraphStyle
  text(name: string | undefined): TextStyle
  list(name: string | undefined): ListStyle | undefined
  /** The numbering of headings. */
  readonly outline: ListStyle | undefined
  /** Whether slides of this style are left out of the show. */
  hidesSlide(name: string | undefined): boolean
  readonly language: string | undefined
}

const MAX_STYLES = 200_000
const MAX_CHAIN = 50

export const createStyles = (): Styles => {
  const byFamily = new Map<string, Map<string, RawStyle>>()
  const lists = new Map<string, Element>()
  const readLists = new Map<string, ListStyle>()
  const paragraphs = new Map<string, ParagraphStyle>()
  const texts = new Map<string, TextStyle>()
  let outline: ListStyle | undefined
  let language: string | undefined
  let count = 0

  const chainOf = (family: string, name: string | undefined): { name: string; element: Element }[] => {
    const chain: { name: string; element: Element }[] = []
    const styles = byFamily.get(family)
    let next = name
    while (next !== undefined && chain.length < MAX_CHAIN) {
      const style = styles?.get(next)
      if (!style) {
        // Styles that the file does not hold can still be told by their name.
        chain.push({ name: next, element: NOTHING })
        break
      }
      chain.push({ name: style.element.attributes['style:display-name'] ?? next, element: style.element })
      next = style.parent
    }
    return chain
  }

  return {
    add(element) {
      if (++count > MAX_STYLES) return
      const name = element.attributes['style:name'] ?? ''
      switch (element.name) {
        case 'style:style': {
          const family = element.attributes['style:family'] ?? ''
          const styles = byFamily.get(family) ?? new Map<string, RawStyle>()
          byFamily.set(family, styles)
          styles.set(name, { parent: element.attributes['style:parent-style-name'], element })
          break
        }
        case 'style:default-style':
          if (element.attributes['style:family'] === 'paragraph') language = languageOf(element)
          break
        case 'text:list-style':
          lists.set(name, element)
          break
        case 'text:outline-style':
          outline = readListStyle(element)
      }
    },
    paragraph(name) {
      const key = name ?? ''
      const known = paragraphs.get(key)
      if (known) return known
      const style = readParagraphStyle(chainOf('paragraph', name))
      paragraphs.set(key, style)
      return style
    },
    text(name) {
      const key = name ?? ''
      const known = texts.get(key)
      if (known) return known
      const chain = chainOf('text', name)
      const style = readTextProperties(chain.map(({ element }) => element))
      if (chain.some((link) => isCodeName(link.name))) style.code = true
      texts.set(key, style)
      return style
    },
    list(name) {
      if (name === undefined) return undefined
      const known = readLists.get(name)
      if (known) return known
      const element = lists.get(name)
      if (!element) return undefined
      const style = readListStyle(element)
      readLists.set(name, style)
      return style
    },
    get outline() {
      return outline
    },
    hidesSlide(name) {
      return chainOf('drawing-page', name).some(
        ({ element }) =>
          childOf(element, 'style:drawing-page-properties')?.attributes['presentation:visibility'] === 'hidden',
      )
    },
    get language() {
      return language
    },
  }
}

const NOTHING: Element = { name: 'style:style', attributes: {}, children: [] }

const languageOf = (style: Element): string | undefined => {
  const { 'fo:language': language, 'fo:country': country } =
    childOf(style, 'style:text-properties')?.attributes ?? ({} as Record<string, string | undefined>)
  if (!language || language === 'none' || language === 'zxx') return undefined
  return country && country !== 'none' ? `${language}-${country}` : language
}

/** Names of styles write what is no letter as `_20_`. */
const plainName = (name: string): string =>
  name.replace(/_([0-9a-f]{1,4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))).toLowerCase()

const isCodeName = (name: string): boolean =>
  /^(?:source (?:text|code)|preformatted text|html preformatted|code|verbatim|listing|teletype|user entry|example)(?: char)?$/.test(
    plainName(name),
  )

const kindOf = (name: string): ParagraphStyle['kind'] => {
  const plain = plainName(name)
  if (plain === 'title') return 'title'
  if (plain === 'subtitle') return 'subtitle'
  if (/^(?:caption|illustration|figure|drawing|table caption|figure caption)$/.test(plain)) return 'caption'
  if (/^(?:quotations?|quote|intense quote|block ?quote|block text)$/.test(plain)) return 'quote'
  return /^(?:preformatted text|source (?:text|code)|html preformatted|code|code block|listing)$/.test(plain)
    ? 'code'
    : undefined
}

const readParagraphStyle = (chain: readonly { name: string; element: Element }[]): ParagraphStyle => {
  const elements = chain.map(({ element }) => element)
  const properties = elements.map((element) => childOf(element, 'style:paragraph-properties'))
  const first = <T>(find: (index: number) => T | undefined): T | undefined => {
    for (const index of elements.keys()) {
      const found = find(index)
      if (found !== undefined) return found
    }
    return undefined
  }
  const outlineLevel = first((index) => elements[index]?.attributes['style:default-outline-level'])
  const listStyle = first((index) => elements[index]?.attributes['style:list-style-name'])
  const own = properties[0]?.attributes
  return {
    kind: first((index) => kindOf(chain[index]?.name ?? '')),
    outlineLevel: outlineLevel ? Number(outlineLevel) || undefined : undefined,
    listStyle,
    isRightToLeft: /^rl/.test(first((index) => properties[index]?.attributes['style:writing-mode']) ?? ''),
    breaksBefore:
      first((index) => properties[index]?.attributes['fo:break-before']) === 'page' ||
      elements[0]?.attributes['style:master-page-name'] !== undefined,
    isNumbered: own?.['text:enable-numbering'] !== 'false',
    text: readTextProperties(elements),
  }
}

/** What the nearest style of a chain says, property by property. */
const readTextProperties = (chain: readonly Element[]): TextStyle => {
  const style: TextStyle = {}
  const decided = new Set<string>()
  const decide = (key: string, value: string | undefined, apply: (value: string) => void): void => {
    if (value === undefined || decided.has(key)) return
    decided.add(key)
    apply(value)
  }
  for (const element of chain) {
    for (const { attributes } of childrenOf(element, 'style:text-properties')) {
      decide('weight', attributes['fo:font-weight'], (value) => {
        if (value === 'bold' || Number(value) >= 600) style.bold = true
      })
      decide('slant', attributes['fo:font-style'], (value) => {
        if (value === 'italic' || value === 'oblique') style.italic = true
      })
      decide('underline', attributes['style:text-underline-style'], (value) => {
        if (value !== 'none') style.underline = true
      })
      decide('strike', attributes['style:text-line-through-style'], (value) => {
        if (value !== 'none') style.strike = true
      })
      decide('position', attributes['style:text-position'], (value) => {
        const [place = ''] = value.trim().split(/\s+/)
        if (place === 'super' || Number.parseFloat(place) > 0) style.script = 'super'
        else if (place === 'sub' || Number.parseFloat(place) < 0) style.script = 'sub'
      })
      decide('display', attributes['text:display'], (value) => {
        if (value === 'none') style.hidden = true
      })
    }
  }
  return style
}
