import type { RstNames } from './rst-inline.ts'

/** State of one conversion: names defined anywhere, and heading styles in the order they were met. */
export type RstContext = RstNames & {
  styles: string[]
  depth: number
  /** Blocks hold directives and directives hold blocks; this is the way back up. */
  convertNested(lines: string[], context: RstContext): string
}

/** The Markdown of a block quote. */
export const quote = (markdown: string): string =>
  markdown
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')
