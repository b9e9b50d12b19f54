import { type HtmlElement, shownText, textOf, walkElements } from '../shared/html/tree.ts'

/** What a page says about itself. */
export type PageFacts = {
  title: string | null
  language: string | null
  description: string | null
  author: string | null
  publishedAt: string | null
  modifiedAt: string | null
  canonicalUrl: string | null
  siteName: string | null
  keywords: string[]
  openGraph: Record<string, string>
  twitter: Record<string, string>
  meta: Record<string, string>
  feeds: { href: string; title: string | null }[]
  structuredData: unknown[]
  headings: { level: number; text: string }[]
  counts: { links: number; images: number; tables: number; words: number }
}

const MAX_ENTRIES = 1_000
const MAX_JSON_CHARACTERS = 1_000_000

/** Reads the head and counts the body. */
export const readPageFacts = (root: HtmlElement): PageFacts => {
  const elements = [...walkElements(root)]
  const named = (name: string) => elements.filter((element) => element.name === name)
  const meta = collectMeta(named('meta'))
  const openGraph = pick(meta, 'og:')
  const twitter = pick(meta, 'twitter:')
  const first = (...keys: string[]): string | null => keys.map((key) => meta[key]).find(Boolean) ?? null
  const links = named('link')
  const relation = (rel: string) =>
    links.filter(({ attributes }) => attributes.rel?.toLowerCase().split(/\s+/).includes(rel))
  const [title] = named('title')
  const body = named('body')[0] ?? root
  return {
    title: (title && shownText(title)) || first('og:title', 'twitter:title'),
    language: named('html')[0]?.attributes.lang ?? first('content-language', 'og:locale'),
    description: first('description', 'og:description', 'twitter:description'),
    author: first('author', 'article:author', 'dc.creator'),
    publishedAt: first('article:published_time', 'date', 'dc.date', 'dcterms.created'),
    modifiedAt: first('article:modified_time', 'last-modified', 'dcterms.modified'),
    canonicalUrl: relation('canonical')[0]?.attributes.href ?? first('og:url'),
    siteName: first('og:site_name', 'application-name'),
    keywords: (meta.keywords ?? '').split(',').flatMap((word) => word.trim() || []),
    openGraph,
    twitter,
    meta: Object.fromEntries(Object.entries(meta).filter(([key]) => !/^(?:og|twitter):/.test(key))),
    feeds: relation('alternate')
      .filter(({ attributes }) => /rss|atom/.test(attributes.type ?? ''))
      .flatMap(({ attributes: { href, title } }) => (href ? [{ href, title: title ?? null }] : [])),
    structuredData: readStructuredData(named('script')),
    headings: elements
      .flatMap((element) =>
        /^h[1-6]$/.test(element.name) ? [{ level: Number(element.name[1]), text: shownText(element) }] : [],
      )
      .slice(0, MAX_ENTRIES),
    counts: {
      links: named('a').filter(({ attributes }) => attributes.href).length,
      images: named('img').length,
      tables: named('table').length,
      words: countWords(body),
    },
  }
}

const collectMeta = (tags: readonly HtmlElement[]): Record<string, string> => {
  const found: Record<string, string> = {}
  for (const { attributes } of tags.slice(0, MAX_ENTRIES)) {
    const key = (attributes.property ?? attributes.name ?? attributes['http-equiv'])?.toLowerCase().trim()
    const value = attributes.content?.trim()
    if (key && value && !Object.hasOwn(found, key) && key !== '__proto__') found[key] = value
  }
  return found
}

const pick = (meta: Readonly<Record<string, string>>, prefix: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(meta).flatMap(([key, value]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [])),
  )

const readStructuredData = (scripts: readonly HtmlElement[]): unknown[] =>
  scripts
    .filter(({ attributes }) => attributes.type?.toLowerCase() === 'application/ld+json')
    .slice(0, MAX_ENTRIES)
    .flatMap((script) => {
      const text = textOf(script)
      if (text.length > MAX_JSON_CHARACTERS) return []
      try {
        return [JSON.parse(text) as unknown]
      } catch {
        return []
      }
    })

const countWords = (body: HtmlElement): number => {
  let words = 0
  const visit = (element: HtmlElement): void => {
    for (const child of element.children) {
      if (typeof child === 'string') words += child.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
      else if (!['script', 'style', 'template'].includes(child.name)) visit(child)
    }
  }
  visit(body)
  return words
}
