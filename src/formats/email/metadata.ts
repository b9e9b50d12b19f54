import { type Context, defineCapability, type Source } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { describeMail } from './facts.ts'
import { isManyMails, readMails } from './open-mails.ts'
import { makeWarner, placeIn } from './read-documents.ts'

/** What a message says about itself. */
export const metadata = defineCapability({
  id: 'email.metadata',
  output: 'metadata',
  defaultSelected: true,
  detail:
    'JSON: subject, date, addresses, ids, way of the message, list, authentication, signature and encryption, attachments with size and hash, all headers. Of a mailbox: an index of its messages.',
  options: {},
  async *extract(source, _options, context) {
    const path = artifactPath(source, 'metadata', 'json')
    const data = isManyMails(source) ? writeIndex(source, context) : await describeOnly(source, context)
    yield { path, mediaType: 'application/json', data }
  },
})

const describeOnly = async (source: Source, context: Context): Promise<string> => {
  const warn = makeWarner(context)
  for await (const open of readMails(source, context)) {
    warn(open, open.mail.problems)
    const paths = context.selected.has('email.attachments') ? placeIn(open, source, 'attachments') : undefined
    return writeJsonFile({
      format: source.extension,
      ...describeMail(open.mail, (attachment) => paths?.get(attachment)),
    })
  }
  return writeJsonFile({ format: source.extension })
}

/** One line per message, written as they are read. */
async function* writeIndex(source: Source, context: Context): AsyncGenerator<string> {
  let count = 0
  yield `{\n  "format": ${JSON.stringify(source.extension)},\n  "messages": [`
  for await (const { mail, number, offset, bytes } of readMails(source, context)) {
    const messageId = mail.headers.find(({ name }) => /^message-id$/i.test(name))?.value.replace(/^<|>$/g, '') ?? null
    const { subject, date, from, to, cc, protection } = mail
    const attachments = mail.attachments.map(({ name, mediaType, isInline }) => ({ name, mediaType, inline: isInline }))
    const entry = { number, offset, bytes, subject, date, from, to, cc, messageId, protection, attachments }
    yield `${count++ === 0 ? '\n' : ',\n'}    ${JSON.stringify(entry)}`
  }
  yield `\n  ],\n  "messageCount": ${count}\n}\n`
}
