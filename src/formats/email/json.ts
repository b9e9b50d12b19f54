import { type Context, defineCapability, type Source } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { writeJson } from '../shared/document/write-json.ts'
import { describeMail } from './facts.ts'
import type { BodyPiece, Mail } from './mail.ts'
import { isManyMails } from './open-mails.ts'
import { type ReadingOptions, readingOptions } from './options.ts'
import { type ReadDocument, readDocuments } from './read-documents.ts'

/** All that is known of a message, for programs. */
export const json = defineCapability({
  id: 'email.json',
  output: 'json',
  defaultSelected: false,
  detail:
    'JSON: everything of the metadata, the bodies as they are, and the document: blocks with kind, text, styles and links. Of a mailbox: JSON lines, a message on each.',
  options: readingOptions,
  async *extract(source, options, context) {
    const isMany = isManyMails(source)
    yield {
      path: artifactPath(source, 'json', isMany ? 'jsonl' : 'json'),
      mediaType: isMany ? 'application/jsonl' : 'application/json',
      data: writeMails(source, options, context),
    }
  },
})

async function* writeMails(source: Source, options: ReadingOptions, context: Context): AsyncGenerator<string> {
  for await (const read of readDocuments(source, { ...options, headers: 'none' }, context)) {
    const facts = {
      ...(read.number === undefined ? {} : { number: read.number }),
      ...describeMail(read.mail, read.pathOf),
      bodies: listBodies(read.mail),
    }
    yield `${JSON.stringify(facts).slice(0, -1)},"document":${writeDocument(read)}}\n`
  }
}

/** On one line: line feeds are only between values. */
const writeDocument = ({ document }: ReadDocument): string => [...writeJson(document)].join('').replaceAll('\n', '')

const listBodies = ({ body }: Mail): unknown[] => {
  const list: unknown[] = []
  const visit = (pieces: readonly BodyPiece[]): void => {
    for (const piece of pieces) {
      if (piece.kind === 'choice') {
        visit(piece.html)
        visit(piece.text)
      } else if (piece.kind === 'html') list.push({ kind: 'html', content: piece.html })
      else if (piece.kind === 'details') list.push({ kind: 'details', content: Object.fromEntries(piece.entries) })
      else if (piece.kind === 'message')
        list.push({ kind: 'message', subject: piece.mail.subject, bodies: listBodies(piece.mail) })
      else if ('text' in piece) list.push({ kind: piece.kind, content: piece.text })
    }
  }
  visit(body)
  return list
}
