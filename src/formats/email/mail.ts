import { showsText } from '../shared/html/shows-text.ts'
import type { Address } from './mime/addresses.ts'

/**
 * A message, whatever file it came from.
 *
 * - *body*: what a mail program would show, piece by piece in reading order
 * - *attachment*: a file in the message, also an image that the body shows
 */
export type Mail = {
  subject: string | null
  /** ISO 8601 in the zone of the sender. */
  date: string | null
  from: readonly Address[]
  sender: readonly Address[]
  replyTo: readonly Address[]
  to: readonly Address[]
  cc: readonly Address[]
  bcc: readonly Address[]
  /** As they stand, decoded, in their order. */
  headers: readonly Header[]
  body: readonly BodyPiece[]
  attachments: readonly Attachment[]
  protection: Protection
  problems: readonly Problem[]
}

export type Header = { name: string; value: string }

export type Protection = { signed: 'smime' | 'pgp' | null; encrypted: 'smime' | 'pgp' | 'rights' | null }

/** Something that is missing, with the code of the warning that says so. */
export type Problem = { code: string; detail: string }

export type BodyPiece =
  | { kind: 'html'; html: string; location?: string }
  | { kind: 'text'; text: string; flowed?: 'keep-space' | 'delete-space' }
  /** The same said twice; which one is read depends on the wish of the reader. */
  | { kind: 'choice'; html: readonly BodyPiece[]; text: readonly BodyPiece[] }
  | { kind: 'image'; attachment: Attachment }
  | { kind: 'calendar' | 'contact' | 'report'; text: string }
  /** Facts of an appointment, a task or a contact. */
  | { kind: 'details'; entries: readonly (readonly [label: string, value: string])[] }
  | { kind: 'message'; attachment: Attachment; mail: Mail }

export type Attachment = {
  /** As the message gives it, with whatever is in it. */
  name: string | null
  mediaType: string
  contentId: string | null
  location: string | null
  /** Shown in the body rather than beside it. */
  isInline: boolean
  /** Which part of the message it is: `2.1`. */
  part: string
  /** The message that it is. */
  mail?: Mail
  read(): Iterable<Buffer>
}

/** Pieces with every choice made. */
export const choosePieces = (pieces: readonly BodyPiece[], body: 'auto' | 'html' | 'text'): BodyPiece[] =>
  pieces.flatMap((piece) => {
    if (piece.kind !== 'choice') return [piece]
    const html = choosePieces(piece.html, body)
    const text = choosePieces(piece.text, body)
    const wanted = body === 'text' || (body === 'auto' && !html.some(saysSomething)) ? text : html
    return wanted.length > 0 ? wanted : wanted === text ? html : text
  })

const saysSomething = (piece: BodyPiece): boolean => piece.kind !== 'html' || showsText(piece.html)
