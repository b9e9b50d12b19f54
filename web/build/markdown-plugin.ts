import { relative } from 'node:path'
import type { Plugin } from 'vite'
import { readGuide } from './guides.ts'

/** Turns a markdown file into a module with the guide in it, so that no page carries a markdown parser. */
export const markdownPlugin = (root: string): Plugin => ({
  name: 'quarry-guides',
  enforce: 'pre',
  transform(source, id) {
    const path = id.split('?')[0] ?? ''
    if (!path.endsWith('.md')) return undefined
    const guide = readGuide(relative(root, path), source)
    return { code: `export default ${JSON.stringify(guide)}`, moduleType: 'js', map: null }
  },
})
