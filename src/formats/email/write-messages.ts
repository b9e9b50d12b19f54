import type { Artifact, Context, Source } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { hasContent } from '../shared/document/has-content.ts'
import { streamPieces } from '../shared/document/stream-pieces.ts'
import { countMails, isManyMails } from './open-mails.ts'
import type { ReadingOptions } from './options.ts'
import { nameMessage, type ReadDocument, readDocuments } from './read-documents.ts'

const MAX_AUTO_FILES = 1_000
const MAX_FILES = 5_000

export type MessageWriter = {
  folder: string
  extension: string
  mediaType: string
  headers: 'heading' | 'lines' | 'none'
  /** What stands between two messages in one file. */
  separator: string
  write(read: ReadDocument): Iterable<string>
}

/** Writes each message of a source to a file of its own, or all of a mailbox to one. */
export async function* writeMessages(
  source: Source,
  options: ReadingOptions & { messages: 'auto' | 'separate' | 'joined' },
  context: Context,
  writer: MessageWriter,
): AsyncGenerator<Artifact> {
  const { folder, extension, mediaType, headers } = writer
  const isMany = isManyMails(source)
  const isJoined =
    isMany &&
    (options.messages === 'joined' ||
      (options.messages === 'auto' && countMails(source, MAX_AUTO_FILES) > MAX_AUTO_FILES))
  if (isJoined) {
    yield {
      path: artifactPath(source, folder, extension),
      mediaType,
      data: joinMessages(source, options, context, writer),
    }
    return
  }
  let count = 0
  for await (const read of readDocuments(source, { ...options, headers }, context)) {
    if (++count > MAX_FILES) {
      context.warn(
        'email.too_many_messages',
        `Only the first ${MAX_FILES} messages have files of their own; ask for one joined file.`,
      )
      return
    }
    if (!hasContent(read.document)) {
      context.warn('email.no_text', 'The message has no text.')
      continue
    }
    const path = isMany
      ? `${folder}/${nameMessage(read.number ?? count, read.mail)}.${extension}`
      : artifactPath(source, folder, extension)
    yield {
      path,
      mediaType,
      data: streamPieces(writer.write(read)),
      ...(isMany ? { provenance: { part: String(read.number) } } : {}),
    }
  }
}

async function* joinMessages(
  source: Source,
  options: ReadingOptions,
  context: Context,
  { headers, separator, write }: MessageWriter,
): AsyncGenerator<string> {
  let isFirst = true
  for await (const read of readDocuments(source, { ...options, headers }, context)) {
    if (!isFirst) yield separator
    isFirst = false
    yield* streamPieces(write(read))
  }
}
