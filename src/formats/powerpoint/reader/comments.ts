import { findByType, type OfficePackage, type Relationships } from '../../shared/ooxml/package.ts'
import { readTree } from '../../shared/ooxml/read-part.ts'
import { childOf, childrenOf, type Element, findAll, textOf } from '../../shared/xml/tree.ts'

/** A remark on a slide. */
export type SlideComment = { author?: string; date?: string; text: string; replies?: SlideComment[] }

const MAX_COMMENTS = 10_000

/** The names of those who commented, by id. */
export const readAuthors = async (file: OfficePackage, relationships: Relationships): Promise<Map<string, string>> => {
  const part = (findByType(relationships, 'commentAuthors') ?? findByType(relationships, 'authors'))?.target
  const tree = part === undefined ? undefined : await readTree(file, part)
  return new Map(childrenOf(tree).map(({ attributes }) => [attributes.id ?? '', attributes.name ?? '']))
}

/** The comments of one slide, in either form that PowerPoint has had for them. */
export const readSlideComments = async (
  file: OfficePackage,
  relationships: Relationships,
  authors: ReadonlyMap<string, string>,
): Promise<SlideComment[]> => {
  const part = findByType(relationships, 'comments')?.target
  const tree = part === undefined ? undefined : await readTree(file, part)
  return childrenOf(tree)
    .filter(({ name }) => name === 'p:cm' || name === 'p188:cm')
    .slice(0, MAX_COMMENTS)
    .map((comment) => toComment(comment, authors))
}

const toComment = (element: Element, authors: ReadonlyMap<string, string>): SlideComment => {
  const author = authors.get(element.attributes.authorId ?? '')
  const date = element.attributes.dt ?? element.attributes.created
  const body = childOf(element, 'p188:txBody')
  const text = body
    ? findAll(body, 'a:p')
        .map((paragraph) => findAll(paragraph, 'a:t').map(textOf).join(''))
        .join('\n')
    : textOf(childOf(element, 'p:text'))
  const replies = childrenOf(childOf(element, 'p188:replyLst'), 'p188:reply').map((reply) => toComment(reply, authors))
  return {
    ...(author ? { author } : {}),
    ...(date ? { date } : {}),
    text: text.trim(),
    ...(replies.length > 0 ? { replies } : {}),
  }
}
