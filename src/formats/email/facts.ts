import { createHash } from 'node:crypto'
import type { Attachment, BodyPiece, Mail } from './mail.ts'
import { readDate } from './mime/dates.ts'
import { readParameters } from './mime/header-values.ts'

/** All that a message says about itself. */
export const describeMail = (
  mail: Mail,
  pathOf: (attachment: Attachment) => string | undefined,
): Record<string, unknown> => {
  const { headers, protection } = mail
  const all = (name: string): string[] =>
    headers.filter((header) => header.name.toLowerCase() === name).map(({ value }) => value)
  const one = (...names: string[]): string | null => names.flatMap(all)[0] ?? null
  return {
    subject: mail.subject,
    date: mail.date,
    from: mail.from,
    ...(mail.sender.length > 0 ? { sender: mail.sender } : {}),
    ...(mail.replyTo.length > 0 ? { replyTo: mail.replyTo } : {}),
    to: mail.to,
    cc: mail.cc,
    bcc: mail.bcc,
    messageId: one('message-id')?.replace(/^<|>$/g, '') ?? null,
    inReplyTo: listIds(one('in-reply-to')),
    references: listIds(one('references')),
    received: all('received').map(readReceived),
    list: describeList(one),
    authentication: {
      results: all('authentication-results'),
      spf: one('received-spf'),
      dkim: all('dkim-signature').map(describeDkim),
    },
    priority: one('importance', 'x-priority', 'priority', 'x-msmail-priority'),
    mailer: one('x-mailer', 'user-agent', 'x-newsreader'),
    autoSubmitted: one('auto-submitted', 'x-autoreply'),
    protection,
    body: describeBody(mail.body),
    attachments: mail.attachments.map((attachment) => describeAttachment(attachment, pathOf)),
    headers,
  }
}

const listIds = (value: string | null): string[] =>
  [...(value ?? '').matchAll(/<([^<>\s]{1,998})>/g)].map(([, id]) => id as string)

/** One station on the way of a message. */
const readReceived = (value: string): Record<string, unknown> => {
  const semicolon = value.lastIndexOf(';')
  const way = semicolon < 0 ? value : value.slice(0, semicolon)
  const word = (name: string): string | null =>
    new RegExp(`(?:^|\\s)${name}\\s+(\\S+)`, 'i').exec(way)?.[1]?.replace(/[;,]$/, '') ?? null
  return {
    from: word('from'),
    by: word('by'),
    with: word('with'),
    date: (semicolon < 0 ? undefined : readDate(value.slice(semicolon + 1))) ?? null,
    value,
  }
}

const describeList = (one: (name: string) => string | null): Record<string, string> | null => {
  const names = ['id', 'unsubscribe', 'unsubscribe-post', 'post', 'archive', 'owner', 'help', 'subscribe']
  const found = names.flatMap((name) => {
    const value = one(`list-${name}`)
    return value === null ? [] : [[name.replace('-p', 'P'), value] as const]
  })
  return found.length > 0 ? Object.fromEntries(found) : null
}

const describeDkim = (value: string): Record<string, string | null> => {
  const { d, s, a } = readParameters(`;${value.replace(/\s+/g, '')}`)
  return { domain: d ?? null, selector: s ?? null, algorithm: a ?? null }
}

const describeBody = (pieces: readonly BodyPiece[]): Record<string, boolean> => {
  const kinds = new Set<string>()
  const visit = (list: readonly BodyPiece[]): void => {
    for (const piece of list) {
      kinds.add(piece.kind)
      if (piece.kind === 'choice') {
        visit(piece.html)
        visit(piece.text)
      }
    }
  }
  visit(pieces)
  return { html: kinds.has('html'), text: kinds.has('text'), calendar: kinds.has('calendar') }
}

/** An attachment, measured. */
export const describeAttachment = (
  attachment: Attachment,
  pathOf: (attachment: Attachment) => string | undefined,
): Record<string, unknown> => {
  const { name, mediaType, contentId, location, isInline, part, mail } = attachment
  const hash = createHash('sha256')
  let bytes = 0
  for (const piece of attachment.read()) {
    hash.update(piece)
    bytes += piece.length
  }
  const path = pathOf(attachment)
  return {
    name,
    mediaType,
    bytes,
    sha256: hash.digest('hex'),
    inline: isInline,
    ...(contentId ? { contentId } : {}),
    ...(location ? { location } : {}),
    part,
    ...(path ? { path } : {}),
    ...(mail
      ? {
          message: {
            subject: mail.subject,
            date: mail.date,
            from: mail.from,
            attachments: mail.attachments.map((inner) => describeAttachment(inner, pathOf)),
          },
        }
      : {}),
  }
}
