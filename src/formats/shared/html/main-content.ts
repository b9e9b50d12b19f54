import { isHidden } from './styles.ts'
import { type HtmlElement, type HtmlNode, shownText, walkElements } from './tree.ts'

/** Parts that belong to the site and not to the page. */
const SITE_NAMES = new Set(['nav', 'aside', 'search', 'dialog'])
const SITE_ROLES = /^(?:navigation|banner|contentinfo|complementary|search|dialog|alertdialog|menu|menubar)$/i
const SITE_CLASSES =
  /(?:^|[\s_-])(?:nav|navbar|navigation|navbox|menu|sidebar|breadcrumbs?|footer|cookies?|consent|share|sharing|social|related|recommended|advert\w*|ads?|promo|newsletter|subscribe|popup|modal|skip-?link|pagination|toolbar)(?:$|[\s_-])/i

/** A main element that holds less of the text than this is not the main content, whatever it says. */
const MIN_MAIN_SHARE = 0.4
const MIN_KEPT_SHARE = 0.3
const MIN_LINK_SHARE = 0.6

/** The page without what surrounds it on every page of its site. Where that cannot be told, the page as it is. */
export const findMainContent = (body: HtmlElement): HtmlElement => {
  const marked = [...walkElements(body)].filter(
    ({ name, attributes }) => name === 'main' || /^main$/i.test(attributes.role ?? ''),
  )
  const articles = [...walkElements(body)].filter(({ name }) => name === 'article')
  const whole = textLength(body)
  const candidates = [marked[0], articles.length === 1 ? articles[0] : undefined]
  const main = candidates.find((element) => element && textLength(element) >= whole * MIN_MAIN_SHARE)
  const kept = prune(main ?? body)
  // Whoever marks everything as surroundings has said nothing.
  return textLength(kept) >= whole * MIN_KEPT_SHARE ? kept : body
}

const prune = (element: HtmlElement): HtmlElement => ({
  ...element,
  children: element.children
    .filter((child) => typeof child === 'string' || !isSurroundings(child))
    .map((child): HtmlNode => (typeof child === 'string' ? child : prune(child))),
})

const isSurroundings = (element: HtmlElement): boolean => {
  const { name, attributes } = element
  if (SITE_NAMES.has(name) || SITE_ROLES.test(attributes.role ?? '')) return true
  // Inside an article these are its own head and foot.
  if (name === 'footer' || name === 'header') return isMostlyLinks(element) || hasNavigation(element)
  if (!SITE_CLASSES.test(`${attributes.class ?? ''} ${attributes.id ?? ''}`)) return false
  return isMostlyLinks(element)
}

const hasNavigation = (element: HtmlElement): boolean =>
  [...walkElements(element)].some(({ name }) => name === 'nav') && ![...walkElements(element)].some(isHeadline)

const isHeadline = ({ name }: HtmlElement): boolean => name === 'h1'

const isMostlyLinks = (element: HtmlElement): boolean => {
  const all = textLength(element)
  const links = [...walkElements(element)]
    .filter(({ name }) => name === 'a')
    .reduce((sum, link) => sum + shownText(link).length, 0)
  return all > 0 && links >= all * MIN_LINK_SHARE
}

const textLength = (element: HtmlElement): number => {
  let length = 0
  for (const child of element.children) {
    if (typeof child === 'string') length += child.trim().length
    else if (!isHidden(child)) length += textLength(child)
  }
  return length
}
