import type { Context, Source } from '../../core/catalog.ts'
import { buildDocument, type MailDocument } from './document.ts'
import type { Attachment, Mail, Problem } from './mail.ts'
import { isManyMails, isPage, type OpenMail, readMails } from './open-mails.ts'
import type { ReadingOptions } from './options.ts'
import { placeAttachments } from './resources.ts'

export type ReadDocument = OpenMail & MailDocument & { pathOf(attachment: Attachment): string | undefined }

/** Each message of a source as a document; what is missing in it is said. */
export async function* readDocuments(
  source: Source,
  options: ReadingOptions & { headers: 'heading' | 'lines' | 'none' },
  context: Context,
): AsyncGenerator<ReadDocument> {
  const warn = makeWarner(context)
  for await (const open of readMails(source, context)) {
    const pathOf = makePathOf(open, source, context)
    const read = await buildDocument(open.mail, {
      ...options,
      pathOf,
      ...(isPage(source, open.mail) ? { page: options.content } : {}),
    })
    warn(open, [...open.mail.problems, ...read.problems])
    yield { ...open, ...read, document: withoutPaths(read.document, context), pathOf }
  }
}

/** Where the result holds an attachment, which depends on what was asked for. */
const makePathOf = (open: OpenMail, source: Source, context: Context) => {
  const files = context.selected.has('email.attachments') ? placeIn(open, source, 'attachments') : undefined
  const images = context.selected.has('email.images') ? placeIn(open, source, 'images') : undefined
  return (attachment: Attachment): string | undefined =>
    (attachment.mediaType.startsWith('image/') ? images?.get(attachment) : undefined) ?? files?.get(attachment)
}

/** Paths of the attachments of a message; in a mailbox each message has a folder. */
export const placeIn = ({ mail, number }: OpenMail, source: Source, folder: string): Map<Attachment, string> => {
  const within = isManyMails(source) ? `${folder}/${padNumber(number ?? 1)}` : folder
  return new Map(placeAttachments(mail, within).map(({ attachment, path }) => [attachment, path]))
}

export const padNumber = (number: number): string => String(number).padStart(4, '0')

/** Images that are part of an HTML body have a place only where images are asked for. */
const withoutPaths = (document: MailDocument['document'], context: Context): MailDocument['document'] => {
  if (context.selected.has('email.images')) return document
  const images = document.images.map((image) => {
    if (!image.path?.startsWith('images/')) return image
    const { path: _path, ...rest } = image
    return rest
  })
  return { ...document, images }
}

const MAX_WARNINGS = 20

/** Passes on what is missing, and in a mailbox says in which message; many of a kind are said once. */
export const makeWarner = (context: Context): ((open: OpenMail, problems: readonly Problem[]) => void) => {
  const counts = new Map<string, number>()
  return ({ number }, problems) => {
    for (const { code, detail } of problems) {
      const count = (counts.get(code) ?? 0) + 1
      counts.set(code, count)
      if (count <= MAX_WARNINGS) context.warn(code, number === undefined ? detail : `Message ${number}: ${detail}`)
    }
  }
}

/** The end of a file name for one message of a mailbox. */
export const nameMessage = (number: number, { subject }: Mail): string => {
  const words = (subject ?? '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return [padNumber(number), [...words].slice(0, 60).join('')].filter(Boolean).join('-')
}
