import type { MarginComment } from '../../shared/document/margin-comment.ts'
import { textOfBlocks } from '../../shared/document/text-of-blocks.ts'
import { findByType, type Relationships } from '../../shared/ooxml/package.ts'
import { readTree } from '../../shared/ooxml/read-part.ts'
import { childrenOf } from '../../shared/xml/tree.ts'
import { readNumberedBlocks } from './notes.ts'
import type { Reading } from './reading.ts'

const MAX_COMMENTS = 50_000

/** The comments of a document in the order of their part, answers with what they answer. */
export const readComments = async (reading: Reading, relationships: Relationships): Promise<MarginComment[]> => {
  const part = findByType(relationships, 'comments')?.target
  if (part === undefined) return []
  const threads = await readThreads(reading, relationships)
  const comments: MarginComment[] = []
  const idOfParagraph = new Map<string, string>()
  const parentParagraphs: (string | undefined)[] = []
  await readNumberedBlocks(reading, part, 'w:comment', (attributes, blocks, paragraphIds) => {
    if (comments.length >= MAX_COMMENTS) return
    const { 'w:id': id = '', 'w:author': author, 'w:initials': initials, 'w:date': date } = attributes
    const last = paragraphIds.at(-1) ?? ''
    for (const paragraph of paragraphIds) idOfParagraph.set(paragraph, id)
    const thread = threads.get(last)
    const commentedText = reading.commentedText.get(id)?.trim()
    comments.push({
      id,
      ...(author ? { author } : {}),
      ...(initials ? { initials } : {}),
      ...(date ? { date } : {}),
      text: textOfBlocks(blocks),
      ...(commentedText ? { commentedText } : {}),
      ...(thread?.isDone ? { resolved: true } : {}),
    })
    parentParagraphs.push(thread?.parent)
  })
  return comments.map((comment, index) => {
    const replyTo = idOfParagraph.get(parentParagraphs[index] ?? '')
    return replyTo === undefined ? comment : { ...comment, replyTo }
  })
}

type Thread = { parent: string | undefined; isDone: boolean }

/** Which comment answers which is told by the ids of their last paragraphs. */
const readThreads = async (reading: Reading, relationships: Relationships): Promise<Map<string, Thread>> => {
  const part = findByType(relationships, 'commentsExtended')?.target
  const tree = part === undefined ? undefined : await readTree(reading.file, part)
  return new Map(
    childrenOf(tree, 'w15:commentEx').map(({ attributes }) => [
      attributes['w15:paraId'] ?? '',
      { parent: attributes['w15:paraIdParent'], isDone: attributes['w15:done'] === '1' },
    ]),
  )
}
