import { addText, type InlineStyle } from '../../shared/document/inline-content.ts'
import type { Inline } from '../../shared/document/model.ts'
import type { Element } from '../../shared/xml/tree.ts'
import { localName, textBelow } from '../xml.ts'
import type { Fb2Reading } from './reading.ts'

const STYLES: Readonly<Record<string, InlineStyle>> = {
  emphasis: { italic: true },
  strong: { bold: true },
  strikethrough: { strike: true },
  sub: { script: 'sub' },
  sup: { script: 'super' },
  code: { code: true },
}

/** What an element links to, whatever prefix its writer gave the namespace of links. */
export const hrefOf = ({ attributes }: Element): string => {
  for (const name in attributes) if (name === 'href' || name.endsWith(':href')) return attributes[name]?.trim() ?? ''
  return ''
}

/** What stands in a paragraph, a line of verse or a cell. */
export const readInlines = (element: Element, reading: Fb2Reading, style: InlineStyle = {}): Inline[] => {
  const content: Inline[] = []
  const visit = (parent: Element, around: InlineStyle): void => {
    for (const child of parent.children) {
      if (typeof child === 'string') {
        const text = child.replace(/[ \t\n\r]+/g, ' ')
        reading.budget.countText(text)
        addText(content, text, around)
        continue
      }
      switch (localName(child)) {
        case 'a':
          visitLink(child, around)
          break
        case 'image': {
          const id = hrefOf(child).replace(/^#/, '')
          reading.shown.add(id)
          const { alt, title } = child.attributes
          content.push({ kind: 'image', image: id, ...(alt || title ? { alt: alt || title || '' } : {}) })
          break
        }
        default:
          visit(child, { ...around, ...STYLES[localName(child)] })
      }
    }
  }
  const visitLink = (link: Element, around: InlineStyle): void => {
    const href = hrefOf(link)
    const target = href.startsWith('#') ? href.slice(1) : undefined
    if (target !== undefined && (link.attributes.type === 'note' || reading.noteIds.has(target))) {
      reading.references.set(target, textBelow(link))
      content.push({ kind: 'note', id: target })
    } else if (target !== undefined) visit(link, { ...around, href: `#${target}` })
    else visit(link, /^(?:https?|ftp|mailto):/i.test(href) ? { ...around, href } : around)
  }
  visit(element, style)
  return content
}
