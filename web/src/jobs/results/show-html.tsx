import { createElement, Fragment, type ReactNode } from 'react'
import { ScrollFrame } from './scroll-frame.tsx'

/** How addresses in a document are turned into addresses on this site, and ids into ids of this page. */
export type Surroundings = {
  /** A picture of the result; undefined when it is none. */
  imageAddress(reference: string): string | undefined
  /** A file of the result; undefined when it is none. */
  fileAddress(reference: string): string | undefined
  idPrefix: string
}

/** What elements may become, which is mostly themselves. Headings go down, so that the page keeps its one first one. */
const TAGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'p blockquote ul ol pre code em strong del s sub sup hr br table thead tbody tr th td section li'
      .split(' ')
      .map((tag) => [tag, tag]),
  ),
  ...{ h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6', h6: 'h6' },
}
const VOID = new Set(['br', 'hr'])
const WEB_ADDRESS = /^(?:https?:\/\/|mailto:)/i
const SAFE_DATA = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[a-z\d+/=\s]*$/i
const MAX_DEPTH = 100

/**
 * HTML that nobody vouches for as elements of this page. It is parsed into a document that runs and loads nothing, and
 * of that only the elements and attributes named here are made anew; of all else the words remain.
 */
export const showHtml = (html: string, surroundings: Surroundings): ReactNode => {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return showChildren(body, surroundings, 0)
}

const showChildren = (node: Node, surroundings: Surroundings, depth: number): ReactNode[] =>
  [...node.childNodes].map((child, index) => showNode(child, surroundings, depth + 1, index))

const showNode = (node: Node, surroundings: Surroundings, depth: number, key: number): ReactNode => {
  if (node.nodeType === Node.TEXT_NODE) return isIndentOfTable(node) ? null : node.nodeValue
  if (!(node instanceof Element) || depth > MAX_DEPTH) return null
  const tag = node.localName
  if (tag === 'img') return showImage(node, surroundings, key)
  if (tag === 'input') return showCheck(node, key)
  const children = showChildren(node, surroundings, depth)
  if (tag === 'a') return showLink(node, children, surroundings, key)
  // A cell with nothing in it heads nothing.
  const made = tag === 'th' && !node.hasChildNodes() ? 'td' : TAGS[tag]
  if (made === undefined) return <Fragment key={key}>{children}</Fragment>
  const attributes = { key, ...readAttributes(node, surroundings) }
  const element = VOID.has(made) ? createElement(made, attributes) : createElement(made, attributes, ...children)
  return made === 'table' ? (
    <ScrollFrame key={key} label="Table" className="table-frame">
      {element}
    </ScrollFrame>
  ) : (
    element
  )
}

/** White space between rows and cells is not allowed to be there. */
const isIndentOfTable = (node: Node): boolean =>
  /^(?:table|thead|tbody|tr)$/.test(node.parentElement?.localName ?? '') && (node.nodeValue ?? '').trim() === ''

const readAttributes = (element: Element, { idPrefix }: Surroundings): Record<string, unknown> => {
  const tag = element.localName
  const attributes: Record<string, unknown> = {}
  if (/^(?:p|h\d|li|td|th|blockquote)$/.test(tag)) attributes.dir = 'auto'
  if (tag === 'table') {
    attributes.className = 'table'
    if (element.getAttribute('dir') === 'rtl') attributes.dir = 'rtl'
  }
  if (tag === 'td' || tag === 'th') {
    const [columns, rows] = [readSpan(element, 'colspan'), readSpan(element, 'rowspan')]
    if (columns) attributes.colSpan = columns
    if (rows) attributes.rowSpan = rows
    const align = element.getAttribute('align')
    if (align && ['left', 'right', 'center'].includes(align)) attributes.style = { textAlign: align }
  }
  if (tag === 'ol' && /^\d{1,9}$/.test(element.getAttribute('start') ?? '')) {
    attributes.start = Number(element.getAttribute('start'))
  }
  if (/^h\d$/.test(tag)) attributes.id = idPrefix + (element.id || slug(element.textContent ?? ''))
  else if (element.id) attributes.id = idPrefix + element.id
  return attributes
}

const readSpan = (cell: Element, name: string): number | undefined => {
  const span = Number(cell.getAttribute(name))
  return Number.isInteger(span) && span > 1 && span <= 1000 ? span : undefined
}

/** The name that a heading is linked by. */
const slug = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

const showImage = (element: Element, { imageAddress }: Surroundings, key: number): ReactNode => {
  const reference = element.getAttribute('src') ?? ''
  const alt = element.getAttribute('alt') ?? ''
  const address = SAFE_DATA.test(reference) ? reference : imageAddress(reference)
  if (address !== undefined) return <img key={key} src={address} alt={alt} loading="lazy" />
  // A picture from elsewhere would tell that server who reads this; a link leaves it to the reader.
  if (/^https?:\/\//i.test(reference))
    return (
      <OutsideLink key={key} href={reference}>
        {alt || reference}
      </OutsideLink>
    )
  return <Fragment key={key}>{alt}</Fragment>
}

const showCheck = (element: Element, key: number): ReactNode => (
  <input
    key={key}
    type="checkbox"
    disabled
    checked={element.hasAttribute('checked')}
    aria-label={element.hasAttribute('checked') ? 'Done' : 'To do'}
    readOnly
  />
)

const showLink = (element: Element, children: ReactNode[], surroundings: Surroundings, key: number): ReactNode => {
  const href = element.getAttribute('href') ?? ''
  if (href.startsWith('#')) {
    const id = surroundings.idPrefix + safeDecode(href.slice(1))
    return (
      <a
        key={key}
        href={`#${encodeURIComponent(id)}`}
        id={element.id ? surroundings.idPrefix + element.id : undefined}
        aria-label={element.getAttribute('aria-label') ?? undefined}
      >
        {children}
      </a>
    )
  }
  const address = WEB_ADDRESS.test(href) ? href : surroundings.fileAddress(href)
  if (address === undefined) return <Fragment key={key}>{children}</Fragment>
  return (
    <OutsideLink key={key} href={address}>
      {children}
    </OutsideLink>
  )
}

const OutsideLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <a href={href} target="_blank" rel="noopener noreferrer nofollow">
    {children}
  </a>
)

const safeDecode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
