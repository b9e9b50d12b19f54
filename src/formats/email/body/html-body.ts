import { overLimit } from '../../shared/decode.ts'
import type { Block, DocumentImage } from '../../shared/document/model.ts'
import { type InlineImage, readHtml } from '../../shared/html/read-html.ts'
import { type HtmlElement, type HtmlNode, parseHtml, shownText, walkElements } from '../../shared/html/tree.ts'

export type HtmlBody = {
  blocks: readonly Block[]
  images: readonly DocumentImage[]
  inside: readonly InlineImage[]
  title: string | undefined
  language: string | undefined
}

/** An HTML body as blocks. Nothing is fetched; what the sender hid stays hidden. */
export const readHtmlBody = async (
  html: string,
  findImage: (src: string) => DocumentImage | undefined,
  content: 'main' | 'full' | 'mail',
): Promise<HtmlBody> => {
  if (hasTooManyTags(html)) throw overLimit('htmlTags', MAX_TAGS)
  const tree = await parseHtml(html)
  const root = content === 'mail' ? prepareMail(tree) : tree
  const { document, inside } = readHtml(root, { content: content === 'main' ? 'main' : 'full', findImage })
  return {
    blocks: document.blocks,
    images: document.images,
    inside,
    title: document.title,
    language: document.language,
  }
}

const MAX_TAGS = 500_000

/** Told before the page is read: a tree of so many would take more memory than a message is worth. */
const hasTooManyTags = (html: string): boolean => {
  let count = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) if (++count > MAX_TAGS) return true
  return false
}

/** Without what the sender hid, and with the tables that only arrange the page marked as such. */
const prepareMail = (element: HtmlElement): HtmlElement => {
  const children = element.children
    .filter((child) => typeof child === 'string' || !(isInvisible(child) || isPixel(child)))
    .map((child): HtmlNode => (typeof child === 'string' ? child : prepareMail(child)))
  const prepared = { ...element, children }
  return element.name === 'table' && isLayout(prepared)
    ? { ...prepared, attributes: { ...element.attributes, role: 'presentation' } }
    : prepared
}

const INVISIBLE =
  /(?:^|;)\s*(?:mso-hide\s*:\s*all|max-height\s*:\s*0(?:px)?\s*(?:;|$|!)|opacity\s*:\s*0(?:\.0+)?\s*(?:;|$|!)|font-size\s*:\s*0(?:px)?\s*(?:;|$|!))/i

/** The line that a list of messages shows beside the subject, hidden in the message itself. */
const isInvisible = ({ name, attributes: { style } }: HtmlElement): boolean =>
  style !== undefined &&
  INVISIBLE.test(style) &&
  name !== 'body' &&
  // A cell or a block without height or font size may well hold an image, or text with a size of its own.
  (!/^(?:table|tbody|tr|td|th|img)$/.test(name) || /mso-hide\s*:\s*all/i.test(style)) &&
  !(
    /font-size\s*:\s*0/i.test(style) &&
    !/max-height|opacity|line-height\s*:\s*[01](?:px)?|mso-hide|display\s*:\s*none/i.test(style)
  )

/** An image of one dot, there to tell that the mail was opened. */
const isPixel = ({ name, attributes: { width, height, style = '' } }: HtmlElement): boolean =>
  name === 'img' &&
  ((/^[01](?:px)?$/.test(width ?? '') && /^[01](?:px)?$/.test(height ?? '')) ||
    (/(?:^|;)\s*width\s*:\s*[01]px/i.test(style) && /(?:^|;)\s*height\s*:\s*[01]px/i.test(style)))

const MAX_LAYOUT_CELL_CHARACTERS = 200

/** Mail is built of tables; few of them hold data. */
const isLayout = (table: HtmlElement): boolean => {
  const rows: HtmlElement[] = []
  let cells = 0
  let longest = 0
  for (const element of walkElements(table)) {
    if (element.name === 'table') return true
    if (element.name === 'th') return false
    if (element.name === 'tr') rows.push(element)
    if (element.name !== 'td') continue
    cells++
    longest = Math.max(longest, shownText(element).length)
  }
  const widths = rows.map((row) => row.children.filter((cell) => typeof cell !== 'string' && cell.name === 'td').length)
  const full = widths.filter((width) => width >= 2).length
  return rows.length < 2 || cells < 4 || full < rows.length / 2 || longest > MAX_LAYOUT_CELL_CHARACTERS
}
