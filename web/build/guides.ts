import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { plainText } from './plain-text.ts'

/** A block of code of a guide. `kind` is the language of its fence, with what follows it: `sh`, `ts sdk`. */
export type CodeBlock = { kind: string; code: string }
export type GuidePart =
  | { type: 'prose'; html: string }
  | { type: 'code'; block: CodeBlock }
  /** The same thing said in several languages. */
  | { type: 'example'; name: string; blocks: CodeBlock[] }
  /** Where a page puts something of its own. */
  | { type: 'slot'; name: string }
export type Guide = { title: string; headings: { id: string; text: string }[]; parts: GuidePart[] }

/** Where the files of `docs/` are on the site; links between them follow. */
export const PAGES: Readonly<Record<string, string>> = {
  'docs/guides/quick-start.md': '/docs',
  'docs/guides/sending-files.md': '/docs/sending-files',
  'docs/guides/results.md': '/docs/results',
  'docs/guides/prices.md': '/docs/prices',
  'docs/guides/errors.md': '/docs/errors',
  'docs/guides/webhooks.md': '/docs/webhooks',
  'docs/guides/sdk.md': '/docs/sdk',
  'docs/documents.md': '/docs/documents',
  'docs/transcripts.md': '/docs/transcripts',
  'docs/operations.md': '/docs/self-hosting',
  'docs/reference/formats.md': '/docs/formats',
  'docs/reference/errors.md': '/docs/errors',
  'docs/reference/plans.md': '/docs/plans',
  'docs/reference/configuration.md': '/docs/settings',
}

const FENCE = /^```(.*)$/
const EXAMPLE = /^<!-- example: ([a-z-]+) -->$/
const SLOT = /^<!-- slot: ([a-z-]+) -->$/

/** Takes a guide apart: prose, blocks of code, examples in several languages, and slots. `path` is from the root. */
export const readGuide = (path: string, markdown: string): Guide => {
  const parts: GuidePart[] = []
  const headings: Guide['headings'] = []
  const ids = new Set<string>()
  let prose: string[] = []
  let example: { name: string; blocks: CodeBlock[] } | undefined
  let title = ''
  const endProse = () => {
    const text = prose.join('\n').trim()
    prose = []
    if (text === '') return
    const { html, title: found } = renderProse(path, text, headings, ids)
    title ||= found
    parts.push({ type: 'prose', html })
  }
  const lines = markdown.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const fence = FENCE.exec(line)
    const slot = SLOT.exec(line)?.[1]
    const name = EXAMPLE.exec(line)?.[1]
    if (fence) {
      const end = lines.indexOf('```', at + 1)
      if (end < 0) throw new Error(`${path}:${at + 1}: the block of code has no end`)
      const block = { kind: fence[1] ?? '', code: lines.slice(at + 1, end).join('\n') }
      at = end
      if (example) example.blocks.push(block)
      else {
        endProse()
        parts.push({ type: 'code', block })
      }
      continue
    }
    // An example lasts as long as nothing but code follows.
    if (line.trim() !== '') example = undefined
    if (slot !== undefined || name !== undefined) endProse()
    if (slot !== undefined) parts.push({ type: 'slot', name: slot })
    else if (name !== undefined) {
      example = { name, blocks: [] }
      parts.push({ type: 'example', ...example })
    } else if (!line.startsWith('<!--')) prose.push(line)
  }
  endProse()
  return { title, headings, parts }
}

/** Every example of a guide by its name, for those who want to run it. */
export const findExamples = (guide: Guide): Map<string, CodeBlock[]> =>
  new Map(guide.parts.flatMap((part) => (part.type === 'example' ? [[part.name, part.blocks]] : [])))

const renderProse = (path: string, text: string, headings: Guide['headings'], ids: Set<string>) => {
  let title = ''
  const html = micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] })
    .replace(/<h([1-4])>(.*?)<\/h\1>/gs, (_all, depth: string, inner: string) => {
      const plain = plainText(inner)
      if (depth === '1') {
        title = plain
        return `<h1>${inner}</h1>`
      }
      const id = uniqueId(plain, ids)
      if (depth === '2') headings.push({ id, text: plain })
      return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${inner}</a></h${depth}>`
    })
    .replace(/<a href="([^"]*)"/g, (_all, href: string) => {
      const target = resolveLink(path, href)
      return /^https?:/.test(target) ? `<a href="${target}" rel="noreferrer"` : `<a href="${target}"`
    })
    // A frame that scrolls must be reached by the keyboard too.
    .replaceAll('<table>', '<div class="table-frame" tabindex="0"><table class="table">')
    .replaceAll('</table>', '</table></div>')
  return { html, title }
}

const uniqueId = (text: string, taken: Set<string>): string => {
  const slug = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
  const id = taken.has(slug) ? `${slug}-${taken.size}` : slug
  taken.add(id)
  return id
}

/** A link to another file of `docs/` becomes one to its page. A link that leads nowhere stops the build. */
const resolveLink = (path: string, href: string): string => {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href
  const url = new URL(href, `file:///${path}`)
  const page = PAGES[url.pathname.slice(1)]
  if (!page) throw new Error(`${path} links to ${href}, which is no page of the site`)
  return page + url.hash
}
