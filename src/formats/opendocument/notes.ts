import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import type { Block, DocumentModel } from '../shared/document/model.ts'
import { streamPieces } from '../shared/document/stream-pieces.ts'
import { writeMarkdown } from '../shared/document/write-markdown.ts'
import { passwordOption } from '../shared/password-option.ts'
import { hiddenSlidesOption } from './options.ts'
import { readOdf } from './reader/read-document.ts'
import { type Slide, titleText } from './reader/slides.ts'

/** What the speaker is to say. */
export const notes = defineCapability({
  id: 'opendocument.notes',
  output: 'notes',
  defaultSelected: false,
  detail: 'Markdown: the notes of the speaker under the number and title of each slide of a presentation.',
  options: { password: passwordOption, hiddenSlides: hiddenSlidesOption },
  async *extract(source, { password, hiddenSlides }, context) {
    const { slides } = await readOdf(source, context, password)
    const blocks = slides.filter(({ isHidden }) => hiddenSlides === 'keep' || !isHidden).flatMap(toBlocks)
    if (blocks.length === 0) return
    const document: DocumentModel = { pageUnit: 'slide', pages: [], blocks, notes: [], images: [] }
    yield {
      path: artifactPath(source, 'notes', 'md'),
      mediaType: 'text/markdown; charset=utf-8',
      data: streamPieces(writeMarkdown(document)),
    }
  },
})

const toBlocks = (slide: Slide): Block[] => {
  if (slide.notes.length === 0) return []
  const title = titleText(slide)
  const text = `Slide ${slide.number}${title ? `: ${title}` : ''}`
  return [{ kind: 'heading', level: 2, content: [{ kind: 'text', text }] }, ...slide.notes]
}
