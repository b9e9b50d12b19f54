import { textOfBlocks } from '../../shared/document/text-of-blocks.ts'
import { visitBlocks } from '../../shared/document/visit-blocks.ts'
import type { HtmlReading } from '../../shared/html/read-html.ts'
import type { Notebook } from './read-notebook.ts'

const MAX_HEADINGS = 1_000

/** What a notebook says about itself. */
export const describeNotebook = (notebook: Notebook, { document, inside }: HtmlReading): Record<string, unknown> => {
  const { cells } = notebook
  const count = (kind: string): number => cells.filter((cell) => cell.kind === kind).length
  const outputs = cells.flatMap((cell) => cell.outputs)
  let tables = 0
  visitBlocks(document.blocks, { blocks: (blocks) => (tables += blocks.filter(({ kind }) => kind === 'table').length) })
  return {
    title: document.title ?? null,
    authors: notebook.authors,
    nbformat: notebook.version,
    kernel: notebook.kernel ?? null,
    language: notebook.language ?? null,
    languageVersion: notebook.languageVersion ?? null,
    headings: document.blocks
      .flatMap((block) =>
        block.kind === 'heading' ? [{ level: block.level, text: textOfBlocks([block]).trim() }] : [],
      )
      .slice(0, MAX_HEADINGS),
    counts: {
      cells: cells.length,
      markdownCells: count('markdown'),
      codeCells: count('code'),
      rawCells: count('raw'),
      executedCells: cells.filter(({ executionCount }) => executionCount !== undefined).length,
      codeLines: cells
        .filter(({ kind, source }) => kind === 'code' && source.trim() !== '')
        .reduce((sum, { source }) => sum + source.trimEnd().split('\n').length, 0),
      outputs: outputs.length,
      errors: outputs.filter(({ kind }) => kind === 'error').length,
      images: inside.length,
      tables,
      words: textOfBlocks(document.blocks).match(/[\p{L}\p{N}]+/gu)?.length ?? 0,
    },
  }
}
