import { JobFailure } from '../../core/errors.ts'
import type { Block, DocumentImage, DocumentModel, Inline } from '../shared/document/model.ts'
import type { InlineImage } from '../shared/html/read-html.ts'
import { labelled, readCalendar, readContact } from './body/calendar.ts'
import { readHtmlBody } from './body/html-body.ts'
import { readPlainBody } from './body/plain-body.ts'
import { dropQuoted, markQuoted } from './body/quotes.ts'
import { type Attachment, type BodyPiece, choosePieces, type Mail, type Problem } from './mail.ts'
import { writeAddress } from './mime/addresses.ts'
import { findByAddress, nameAttachment } from './resources.ts'

export type DocumentOptions = {
  body: 'auto' | 'html' | 'text'
  quotedText: 'keep' | 'drop'
  /** `heading`: the subject as a heading, the rest below it. `lines`: all as lines. */
  headers: 'heading' | 'lines' | 'none'
  /** A saved page rather than a message. */
  page?: 'main' | 'full'
  /** Where the result holds what is attached; undefined where it does not. */
  pathOf(attachment: Attachment): string | undefined
}

export type MailDocument = {
  document: DocumentModel
  /** Images that stand in an HTML body itself. */
  inside: readonly InlineImage[]
  /** Attachments behind images, by the id of the image. */
  attached: ReadonlyMap<string, Attachment>
  /** Attachments that the body shows. */
  shown: ReadonlySet<Attachment>
  problems: readonly Problem[]
}

type Draft = {
  images: Map<string, DocumentImage>
  attached: Map<Attachment, DocumentImage>
  inside: InlineImage[]
  shown: Set<Attachment>
  problems: Problem[]
  title: string | undefined
  language: string | undefined
}

const MAX_DEPTH = 10
const MAX_HTML_CHARACTERS = 4 * 1_048_576

/** A message as a document: what it says of itself, what it says, what is attached. */
export const buildDocument = async (mail: Mail, options: DocumentOptions): Promise<MailDocument> => {
  const draft: Draft = {
    images: new Map(),
    attached: new Map(),
    inside: [],
    shown: new Set(),
    problems: [],
    title: undefined,
    language: undefined,
  }
  const blocks = await readMessage(mail, options, draft, 0)
  const title = mail.subject ?? draft.title
  return {
    document: {
      ...(title ? { title } : {}),
      ...(draft.language ? { language: draft.language } : {}),
      pageUnit: 'page',
      pages: [],
      blocks,
      notes: [],
      images: [...draft.images.values()],
    },
    inside: draft.inside,
    attached: new Map([...draft.attached].map(([attachment, { id }]) => [id, attachment])),
    shown: draft.shown,
    problems: draft.problems,
  }
}

const readMessage = async (mail: Mail, options: DocumentOptions, draft: Draft, depth: number): Promise<Block[]> => {
  const pieces = choosePieces(mail.body, options.body)
  const said: Block[] = []
  const images: Attachment[] = []
  const inner: Block[] = []
  for (const piece of pieces) {
    if (piece.kind === 'image') images.push(piece.attachment)
    if (piece.kind === 'image' && pieces.some(({ kind }) => kind === 'html')) continue
    if (piece.kind === 'message')
      for (const block of await readInner(piece.mail, options, draft, depth)) inner.push(block)
    else for (const block of await readPiece(piece, mail, options, draft)) said.push(block)
  }
  // An image that the HTML did not show is shown below it.
  for (const attachment of images) if (!draft.shown.has(attachment)) said.push(showImage(attachment, options, draft))
  const marked = options.page ? said : markQuoted(said)
  const kept = options.quotedText === 'drop' && !options.page ? dropQuoted(marked) : marked
  const list = options.page || options.headers === 'none' ? [] : listAttachments(mail, options, draft)
  return [...writeHead(mail, options, depth), ...kept, ...inner, ...list]
}

const readInner = async (mail: Mail, options: DocumentOptions, draft: Draft, depth: number): Promise<Block[]> => {
  if (depth >= MAX_DEPTH) return []
  const headers = options.headers === 'none' ? 'lines' : options.headers
  return [{ kind: 'rule' }, ...(await readMessage(mail, { ...options, headers }, draft, depth + 1))]
}

const readPiece = async (
  piece: Exclude<BodyPiece, { kind: 'message' | 'choice' }> | BodyPiece,
  mail: Mail,
  options: DocumentOptions,
  draft: Draft,
): Promise<readonly Block[]> => {
  switch (piece.kind) {
    case 'html':
      return await readHtmlPiece(piece, mail, options, draft)
    case 'text':
      return readPlainBody(piece.text, piece.flowed)
    case 'image':
      return [showImage(piece.attachment, options, draft)]
    case 'calendar':
      return readCalendar(piece.text)
    case 'contact':
      return readContact(piece.text)
    case 'report':
      return readReport(piece.text)
    case 'details':
      return [labelled(piece.entries)]
    default:
      return []
  }
}

const readHtmlPiece = async (
  piece: BodyPiece & { kind: 'html' },
  mail: Mail,
  options: DocumentOptions,
  draft: Draft,
): Promise<readonly Block[]> => {
  const find = (src: string): DocumentImage | undefined => {
    const attachment = findByAddress(mail.attachments, src, piece.location)
    return attachment && addImage(attachment, options, draft)
  }
  if (piece.html.length > MAX_HTML_CHARACTERS) addTooLarge(draft)
  try {
    const html = piece.html.slice(0, MAX_HTML_CHARACTERS)
    const body = await readHtmlBody(html, find, options.page ?? 'mail')
    // Addresses of the images outside are numbered in each body anew.
    const renamed = new Map(
      body.images.map(({ id }) => [id, id.startsWith('link-') ? `link-${draft.images.size}-${id}` : id]),
    )
    for (const image of body.images) {
      const id = renamed.get(image.id) as string
      if (!draft.images.has(id)) draft.images.set(id, { ...image, id })
    }
    draft.inside = [...draft.inside, ...body.inside]
    draft.title ??= body.title
    draft.language ??= body.language
    return renameImages(body.blocks, renamed)
  } catch (error) {
    if (!(error instanceof JobFailure) || error.code !== 'extract.limit_exceeded') throw error
    addTooLarge(draft)
    return []
  }
}

const addTooLarge = ({ problems }: Draft): void => {
  const detail = 'An HTML body is too large or too deep to be read whole.'
  if (problems.length === 0) problems.push({ code: 'email.body_too_large', detail })
}

const renameImages = (blocks: readonly Block[], names: ReadonlyMap<string, string>): readonly Block[] => {
  if ([...names].every(([from, to]) => from === to)) return blocks
  // The model is plain data; only the places that name an image differ.
  return JSON.parse(JSON.stringify(blocks), (_key, value: unknown) => {
    const named = value as { kind?: string; image?: string } | null
    if (typeof value === 'object' && named?.kind === 'image' && typeof named.image === 'string') {
      return { ...named, image: names.get(named.image) ?? named.image }
    }
    return value
  }) as Block[]
}

const addImage = (attachment: Attachment, options: DocumentOptions, draft: Draft): DocumentImage => {
  draft.shown.add(attachment)
  const known = draft.attached.get(attachment)
  if (known) return known
  const id = `part-${draft.attached.size + 1}`
  const path = options.pathOf(attachment)
  const image: DocumentImage = { id, ...(path ? { path } : {}), mediaType: attachment.mediaType }
  draft.attached.set(attachment, image)
  draft.images.set(id, image)
  return image
}

const showImage = (attachment: Attachment, options: DocumentOptions, draft: Draft): Block => {
  const { id } = addImage(attachment, options, draft)
  return { kind: 'image', image: id, ...(attachment.name ? { alt: attachment.name } : {}) }
}

/** A report on delivery: groups of fields, parted by empty lines. */
const readReport = (text: string): Block[] =>
  text
    .replace(/\n[ \t]+/g, ' ')
    .split(/\n\s*\n/)
    .flatMap((group) => {
      const content: Inline[] = []
      for (const line of group.split('\n')) {
        if (line.trim() === '') continue
        if (content.length > 0) content.push({ kind: 'break' })
        content.push({ kind: 'text', text: line.trim() })
      }
      return content.length > 0 ? [{ kind: 'paragraph' as const, content }] : []
    })

const writeHead = (mail: Mail, { headers, page }: DocumentOptions, depth: number): Block[] => {
  if (headers === 'none' || page) return []
  const isHeading = headers === 'heading' && mail.subject !== null
  const list = (addresses: Mail['to']): string => addresses.map(writeAddress).filter(Boolean).join(', ')
  const facts = labelled([
    ['From', list(mail.from)],
    ['Sender', list(mail.sender)],
    ['Reply-To', list(mail.replyTo) === list(mail.from) ? '' : list(mail.replyTo)],
    ['To', list(mail.to)],
    ['Cc', list(mail.cc)],
    ['Bcc', list(mail.bcc)],
    ['Date', mail.date ?? mail.headers.find(({ name }) => /^date$/i.test(name))?.value],
    ...(isHeading ? [] : ([['Subject', mail.subject ?? undefined]] as const)),
  ])
  const level = Math.min(6, depth + 1) as 1 | 2 | 3 | 4 | 5 | 6
  return [
    ...(isHeading
      ? [{ kind: 'heading' as const, level, content: [{ kind: 'text' as const, text: mail.subject as string }] }]
      : []),
    ...('content' in facts && facts.content.length > 0 ? [facts] : []),
  ]
}

const listAttachments = (mail: Mail, options: DocumentOptions, draft: Draft): Block[] => {
  const beside = mail.attachments.filter((attachment) => !draft.shown.has(attachment))
  if (beside.length === 0) return []
  const items = beside.map((attachment): Block => {
    const path = options.pathOf(attachment)
    const text = attachment.name ?? nameAttachment(attachment)
    const inline: Inline = { kind: 'text', text, ...(path ? { href: `../${encodeURI(path)}` } : {}) }
    return { kind: 'item', depth: 0, ordered: false, marker: '•', content: [inline] }
  })
  return [{ kind: 'paragraph', content: [{ kind: 'text', text: 'Attachments:', bold: true }] }, ...items]
}
