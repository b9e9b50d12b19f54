import type { BodyPiece } from '../mail.ts'
import type { Bytes } from './bytes.ts'
import { readLeafPieces } from './read-leaf.ts'
import { addAttachment, addProblem, describeLeaf, type Place, type Reading } from './reading.ts'
import { isMessage, type RawPart } from './scan-parts.ts'

/** The body of a message in reading order; everything else goes to the attachments of the reading. */
export const readBody = async (root: RawPart, bytes: Bytes, reading: Reading): Promise<BodyPiece[]> =>
  await readPart(root, bytes, '', 'message', reading)

const readPart = async (
  part: RawPart,
  bytes: Bytes,
  path: string,
  place: Place,
  reading: Reading,
): Promise<BodyPiece[]> => {
  const { type } = part.contentType
  const inside = async (place: Place, children = part.children): Promise<BodyPiece[]> => {
    const pieces: BodyPiece[] = []
    for (const child of children) {
      const number = part.children.indexOf(child) + 1
      pieces.push(...(await readPart(child, bytes, path === '' ? `${number}` : `${path}.${number}`, place, reading)))
    }
    return pieces
  }
  if (isMessage(type) && part.children[0]) return await readInnerMessage(part, bytes, path, reading)
  // Without a boundary, or nested too deep, it is text that has to be shown as it is.
  if (!type.startsWith('multipart/') || part.children.length === 0) {
    const shown = type.startsWith('multipart/') ? asText(part) : part
    return await readLeafPieces(describeLeaf(shown, bytes, path || '1', reading), place, reading, readInnerBody)
  }
  switch (type) {
    case 'multipart/alternative':
      return await readAlternative(part, (child) => inside('alternative', [child]))
    case 'multipart/related': {
      const root = findRelatedRoot(part)
      const pieces = await inside(place === 'alternative' ? 'alternative' : 'related', root ? [root] : [])
      await inside(
        'resource',
        part.children.filter((child) => child !== root),
      )
      return pieces
    }
    case 'multipart/signed':
      reading.protection.signed ??= /pgp/i.test(part.contentType.params.protocol ?? '') ? 'pgp' : 'smime'
      return await inside('mixed')
    case 'multipart/encrypted':
      reading.protection.encrypted ??= /pgp/i.test(part.contentType.params.protocol ?? 'pgp') ? 'pgp' : 'smime'
      addProblem(reading, 'email.encrypted', 'The body is encrypted; only its headers can be read.')
      return await inside('resource')
    default:
      return await inside(place === 'resource' ? 'resource' : 'mixed')
  }

  async function readInnerBody(inner: RawPart, innerBytes: Bytes, innerPath: string): Promise<BodyPiece[]> {
    return await readPart(inner, innerBytes, innerPath, place, reading)
  }
}

const asText = (part: RawPart): RawPart => ({ ...part, contentType: { type: 'text/plain', params: {} } })

const readInnerMessage = async (part: RawPart, bytes: Bytes, path: string, reading: Reading): Promise<BodyPiece[]> => {
  const mail = await reading.readInner(bytes, part.children[0] as RawPart)
  const leaf = describeLeaf(part, bytes, path || '1', reading)
  const attachment = addAttachment(leaf, reading, { mail, isInline: false })
  return [{ kind: 'message', attachment, mail }]
}

/** Of several ways to say the same, the richest and the plainest; what is said nowhere else stands beside them. */
const readAlternative = async (
  part: RawPart,
  readChild: (child: RawPart) => Promise<BodyPiece[]>,
): Promise<BodyPiece[]> => {
  const read: BodyPiece[][] = []
  for (const child of part.children) {
    // Made for one mail program, and said again in the others.
    if (/^text\/(?:x-amp-html|watch-html)$/.test(child.contentType.type)) continue
    read.push(await readChild(child))
  }
  const isBeside = ({ kind }: BodyPiece): boolean => kind === 'calendar' || kind === 'contact'
  const ways = read.map((pieces) => pieces.filter((piece) => !isBeside(piece))).filter((pieces) => pieces.length > 0)
  const html = ways.findLast((pieces) => pieces.some(isRich)) ?? []
  const text = ways.find((pieces) => !pieces.some(isRich)) ?? []
  const beside = read.flat().filter(isBeside)
  if (html.length === 0 || text.length === 0) return [...html, ...text, ...beside]
  return [{ kind: 'choice', html, text }, ...beside]
}

const isRich = (piece: BodyPiece): boolean => piece.kind === 'html' || piece.kind === 'choice'

const findRelatedRoot = ({ children, contentType }: RawPart): RawPart | undefined => {
  const start = contentType.params.start?.trim().replace(/^<|>$/g, '')
  const named = start
    ? children.find(({ headers }) =>
        headers.some(({ name, raw }) => /^content-id$/i.test(name) && raw.trim().replace(/^<|>$/g, '') === start),
      )
    : undefined
  const isText = ({ contentType: { type } }: RawPart): boolean => /^(?:text|multipart)\//.test(type)
  return named ?? (children[0] && isText(children[0]) ? children[0] : (children.find(isText) ?? children[0]))
}
