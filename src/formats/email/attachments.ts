import { type Context, defineCapability } from '../../core/catalog.ts'
import type { Attachment } from './mail.ts'
import { readMails } from './open-mails.ts'
import { makeWarner, placeIn } from './read-documents.ts'

const MAX_FILES = 5_000

/** The files in a message. */
export const attachments = defineCapability({
  id: 'email.attachments',
  output: 'attachments',
  defaultSelected: true,
  detail:
    'Every attached file, decoded, also those in winmail.dat and in attached messages, which come as eml files too. Of a saved page: its resources.',
  options: {
    inline: { type: 'boolean', defaultValue: true, detail: 'Whether images that the body shows come along.' },
  },
  async *extract(source, { inline }, context) {
    let count = 0
    const warn = makeWarner(context)
    for await (const open of readMails(source, context)) {
      warn(open, open.mail.problems)
      for (const [attachment, path] of placeIn(open, source, 'attachments')) {
        if (!inline && attachment.isInline) continue
        if (++count > MAX_FILES) {
          context.warn('email.too_many_attachments', `Only the first ${MAX_FILES} attachments are given.`)
          return
        }
        const provenance = { part: open.number === undefined ? attachment.part : `${open.number}:${attachment.part}` }
        yield { path, mediaType: attachment.mediaType, provenance, data: streamAttachment(attachment, context) }
      }
    }
    if (count === 0) context.warn('email.no_attachments', 'Nothing is attached.')
  },
})

/** The bytes of an attachment as they come. */
export async function* streamAttachment(attachment: Attachment, context: Context): AsyncGenerator<Buffer> {
  for (const piece of attachment.read()) {
    context.signal.throwIfAborted()
    yield piece
  }
}
