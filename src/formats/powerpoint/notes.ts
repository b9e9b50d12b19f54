import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import type { Block, DocumentModel } from '../shared/document/model.ts'
import { streamPieces } from '../shared/document/stream-pieces.ts'
import { writeMarkdown } from '../shared/document/write-markdown.ts'
import { passwordOption } from '../shared/password-option.ts'
import { titleText } from './document.ts'
import { asPptx } from './legacy/as-pptx.ts'
import { hiddenSlidesOption } from './options.ts'
import type { SlideComment } from './reader/comments.ts'
import { readPowerPoint, type Slide } from './reader/read-presentation.ts'

/** What the speaker is to say, and what reviewers said. */
export const notes = defineCapability({
  id: 'powerpoint.notes',
  output: 'notes',
  defaultSelected: false,
  detail: 'Markdown: the notes of the speaker under the number and title of each slide, comments as quotes.',
  options: {
    password: passwordOption,
    hiddenSlides: hiddenSlidesOption,
    comments: { type: 'boolean', defaultValue: true, detail: 'Comments of reviewers too.' },
  },
  async *extract(source, { password, hiddenSlides, comments }, context) {
    const { slides } = await readPowerPoint(await asPptx(source, context, password), context)
    const blocks = slides
      .filter(({ isHidden }) => hiddenSlides === 'keep' || !isHidden)
      .flatMap((slide) => toBlocks(slide, comments))
    if (blocks.length === 0) return
    const document: DocumentModel = { pageUnit: 'slide', pages: [], blocks, notes: [], images: [] }
    yield {
      path: artifactPath(source, 'notes', 'md'),
      mediaType: 'text/markdown; charset=utf-8',
      data: streamPieces(writeMarkdown(document)),
    }
  },
})

const toBlocks = (slide: Slide, withComments: boolean): Block[] => {
  const said = withComments ? slide.comments.map(toQuote) : []
  if (slide.notes.length === 0 && said.length === 0) return []
  const title = titleText(slide)
  const text = `Slide ${slide.number}${title ? `: ${title}` : ''}`
  return [{ kind: 'heading', level: 2, content: [{ kind: 'text', text }] }, ...slide.notes, ...said]
}

const toQuote = ({ author, date, text, replies = [] }: SlideComment): Block => ({
  kind: 'quote',
  blocks: [
    {
      kind: 'paragraph',
      content: [
        { kind: 'text', text: [author, date?.slice(0, 10)].filter(Boolean).join(', ') || 'Comment', bold: true },
        { kind: 'text', text: `: ${text}` },
      ],
    },
    ...replies.map(toQuote),
  ],
})
