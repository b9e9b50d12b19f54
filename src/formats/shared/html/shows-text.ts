const HIDDEN = /^<(style|script|head|title|template)(?=[\s>/])/i

/** Whether a page or a piece of one shows anything at all, told without reading it as a tree: text, or an image. */
export const showsText = (html: string): boolean => {
  const lower = html.toLowerCase()
  const unclosed = new Set<string>()
  let at = 0
  while (at < html.length) {
    const tag = html.indexOf('<', at)
    if (isShown(html.slice(at, tag < 0 ? undefined : tag))) return true
    if (tag < 0) return false
    if (lower.startsWith('<img', tag)) return true
    const name = HIDDEN.exec(lower.slice(tag, tag + 12))?.[1]
    const close = name && !unclosed.has(name) ? lower.indexOf(`</${name}`, tag) : -1
    if (name && close < 0) unclosed.add(name)
    if (lower.startsWith('<!--', tag)) {
      const end = html.indexOf('-->', tag)
      if (end < 0) return false
      at = end + 3
      continue
    }
    const end = html.indexOf('>', Math.max(tag, close))
    if (end < 0) return false
    at = end + 1
  }
  return false
}

const isShown = (text: string): boolean => /[^\s\u00a0\u200b-\u200d\ufeff]/.test(text.replaceAll('&nbsp;', ''))
