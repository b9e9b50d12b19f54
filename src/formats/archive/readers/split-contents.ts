import type { Context } from '../../../core/catalog.ts'
import { fromStream } from '../byte-source.ts'
import { refuseBomb } from '../limits.ts'
import type { Content, Member } from '../member.ts'

/**
 * Cuts the contents of all files of an archive, which a program gives one after the other, at the sizes that the
 * archive states. Where the program leaves something out the cuts are wrong from there on; that shows in the checksums.
 */
export async function* splitContents(
  output: AsyncIterable<Buffer>,
  packedBytes: number,
  members: readonly Member[],
  wanted: (member: Member) => boolean,
  context: Context,
): AsyncGenerator<Content> {
  const source = fromStream(watch(output, packedBytes, context))
  const lastWanted = members.findLastIndex((member) => member.kind === 'file' && wanted(member))
  try {
    for (const member of members.slice(0, lastWanted + 1)) {
      let left = member.bytes ?? 0
      async function* pieces(): AsyncGenerator<Buffer> {
        for await (const piece of source.pieces(left)) {
          left -= piece.length
          yield piece
        }
      }
      if (member.kind === 'file' && wanted(member)) yield { member, chunks: pieces() }
      await source.skip(left)
    }
  } finally {
    await source.close()
  }
}

/** What is passed over is work too, and may be a bomb. */
async function* watch(output: AsyncIterable<Buffer>, packedBytes: number, context: Context): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of output) {
    bytes += chunk.length
    refuseBomb(bytes, packedBytes)
    context.progress(0)
    yield chunk
  }
}
