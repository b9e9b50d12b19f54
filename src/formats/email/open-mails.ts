import type { Context, Source } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import { isCompoundFile, openCompoundFile } from '../shared/ole/compound-file.ts'
import { perSource } from '../shared/per-source.ts'
import { makePause } from '../shared/read-chunks.ts'
import type { Mail } from './mail.ts'
import { type Bytes, fileBytes, sliceBytes } from './mime/bytes.ts'
import { readMail } from './mime/read-mail.ts'
import { isMailbox, splitMailbox } from './mime/split-mbox.ts'
import { readMsg } from './msg/read-msg.ts'

/** A message of a source. In a mailbox it has a number, from 1, and a place. */
export type OpenMail = {
  mail: Mail
  number: number | undefined
  offset: number
  bytes: number
}

/** A mailbox of more is none that anybody keeps. */
const MAX_MESSAGES = 100_000

/** Whether a source is a mailbox: many messages rather than one. */
export const isManyMails = ({ extension }: Source): boolean => extension === 'mbox'

/** Whether a message is a page that a browser saved. */
export const isPage = ({ extension }: Source, { to, from, headers }: Mail): boolean =>
  (extension === 'mhtml' || extension === 'mht') &&
  (to.length === 0 ||
    headers.some(({ name }) => /^snapshot-content-location$/i.test(name)) ||
    /^<?saved by/i.test(from[0]?.name ?? ''))

/**
 * The messages of a source, one at a time: the one before is forgotten. They can be read until the next one is asked
 * for.
 */
export async function* readMails(source: Source, context: Context): AsyncGenerator<OpenMail> {
  const file = fileBytes(source.path)
  const place = { number: isManyMails(source) ? 1 : undefined, offset: 0, bytes: file.length }
  if (isCompoundFile(file.read(0, 8))) {
    const compound = openCompoundFile(source.path)
    try {
      yield { mail: await readMsg(compound), ...place }
    } finally {
      compound.close()
    }
  } else if (isManyMails(source) && isMailbox(file)) yield* readMailbox(file, context)
  else yield { mail: await readSingle(source, context), ...place }
}

async function* readMailbox(file: Bytes, context: Context): AsyncGenerator<OpenMail> {
  let number = 0
  const pause = makePause(context)
  for (const { start, end } of splitMailbox(file)) {
    context.signal.throwIfAborted()
    if (++number > MAX_MESSAGES) {
      context.warn('email.too_many_messages', `The mailbox has more than the ${MAX_MESSAGES} messages that are read.`)
      return
    }
    yield { mail: await readMail(file, start, end), number, offset: start, bytes: end - start }
    context.progress(Math.min(1, end / file.length))
    await pause()
  }
}

/** The only message of a file, read once for all capabilities. */
const readSingle = perSource(async (source: Source): Promise<Mail> => {
  const file = fileBytes(source.path)
  const mail = await readMail(source.extension === 'emlx' ? openEmlx(file) : file)
  if (mail.headers.length > 0) return mail
  const detail = 'The file is no message: it has no headers.'
  throw new JobFailure('extract.source_unreadable', { reason: 'no headers' }, { detail })
})

/** Apple Mail writes the length of the message before it, and a list of its own after it. */
const openEmlx = (file: Bytes): Bytes => {
  const [line, digits] = /^\s*(\d{1,12})\s*\n/.exec(file.read(0, 64).toString('latin1')) ?? []
  return line === undefined ? file : sliceBytes(file, line.length, line.length + Number(digits))
}

/** How many messages a mailbox has, counted up to a limit. */
export const countMails = (source: Source, limit: number): number => {
  if (!isManyMails(source)) return 1
  let count = 0
  for (const _ of splitMailbox(fileBytes(source.path))) if (++count > limit) break
  return count
}
