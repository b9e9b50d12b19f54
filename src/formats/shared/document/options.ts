import type { DocumentImage } from './model.ts'

/** What becomes of headers, footers and page numbers. */
export const headersFootersOption = {
  type: 'enum',
  allowedValues: ['drop', 'keep', 'separate'],
  defaultValue: 'drop',
  detail: '`keep`: where they stand. `separate`: in a file of their own.',
} as const

/** How tables are written in markdown. */
export const tableFormatOption = {
  type: 'enum',
  allowedValues: ['auto', 'pipe', 'html'],
  defaultValue: 'auto',
  detail: '`auto`: HTML where cells are merged, else pipes. `pipe`: what a merged cell says is repeated.',
} as const

/** How tables are written in plain text. */
export const tableLayoutOption = {
  type: 'enum',
  allowedValues: ['tabs', 'aligned'],
  defaultValue: 'tabs',
  detail: 'Cells of a row parted by tabs, or padded to columns.',
} as const

/** What stands in the places that a merged cell covers. */
export const mergedCellsOption = {
  type: 'enum',
  allowedValues: ['repeat', 'blank'],
  defaultValue: 'repeat',
  detail: 'What stands in the places that a merged cell covers: what it says, or nothing.',
} as const

/** Where markdown has its images. */
export const imageModeOption = {
  type: 'enum',
  allowedValues: ['reference', 'embed', 'omit'],
  defaultValue: 'reference',
  detail: '`reference`: links to the extracted images, where those are selected. `embed`: inside the markdown.',
} as const

/** What stands between the pages of a text. */
export const textPageBreaksOption = {
  type: 'enum',
  allowedValues: ['form-feed', 'line', 'none'],
  defaultValue: 'form-feed',
  detail: 'What stands between pages: the control character U+000C, a line such as `--- page 3 ---`, or nothing.',
} as const

/** What stands between the slides of a text. */
export const textSlideBreaksOption = {
  ...textPageBreaksOption,
  detail: 'What stands between slides: the control character U+000C, a line such as `--- slide 3 ---`, or nothing.',
} as const

/** What tells the pages of a markdown file apart. */
export const markdownPageBreaksOption = {
  type: 'enum',
  allowedValues: ['none', 'comment', 'rule'],
  defaultValue: 'none',
  detail: '`comment`: `<!-- page 3 -->` before each page. `rule`: `---` between pages.',
} as const

/** How a document is cut into chunks. */
export const chunkOptions = {
  maxTokens: {
    type: 'integer',
    min: 64,
    max: 8_192,
    defaultValue: 512,
    detail: 'Most tokens of a chunk, as estimated.',
  },
  overlapTokens: {
    type: 'integer',
    min: 0,
    max: 1_024,
    defaultValue: 0,
    detail: 'Tokens that a chunk repeats of the one before it, in whole sentences; at most half a chunk.',
  },
  headersFooters: {
    type: 'enum',
    allowedValues: ['drop', 'keep'],
    defaultValue: 'drop',
    detail: 'Headers, footers and page numbers.',
  },
  tableFormat: tableFormatOption,
} as const

/** Where an image lies, as seen from the folder of another output. */
export const referToImage = ({ path, url }: DocumentImage): string | undefined => (path ? `../${path}` : url)
