import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Source } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'

/** Held in memory as a whole. */
const MAX_BYTES = 64 * 1024 ** 2
/** Groups of bytes rather than text, in which damage is most likely. */
const DROPPED = /^\{(?:\\\*)?\\(?:pict|object|objdata|themedata|datastore|colorschememapping|shppict|nonshppict)\b/
const TOKEN = /\\bin(\d{1,10}) ?|\\[a-zA-Z]+-?\d* ?|\\'[0-9a-fA-F]{2}|\\[\s\S]|[{}]|[^\\{}]+|\\/g

/** RTF that opens where it begins and closes where it ends, without pictures and objects. */
export const mendText = (text: string): string => {
  const trimmed = text.replace(/^(?:\xef\xbb\xbf)?\s*/, '').trimEnd()
  const body = trimmed.startsWith('{\\rtf') ? trimmed : `{\\rtf1\\ansi ${trimmed}}`
  const pieces: string[] = []
  let depth = 0
  let droppedFrom = 0
  let from = 0
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(body); match; match = TOKEN.exec(body)) {
    const [token, binaryBytes] = match
    from = TOKEN.lastIndex
    if (binaryBytes !== undefined) {
      TOKEN.lastIndex = Math.min(body.length, from + Number(binaryBytes))
      continue
    }
    if (token === '{') {
      depth++
      if (droppedFrom === 0 && DROPPED.test(body.slice(match.index, match.index + 40))) droppedFrom = depth
    }
    // More ends than beginnings: the text goes on all the same.
    const isStray = token === '}' && depth <= 1 && from < body.length
    if (droppedFrom === 0 && !isStray) pieces.push(token)
    if (token !== '}' || isStray) continue
    if (droppedFrom === depth) droppedFrom = 0
    depth = Math.max(0, depth - 1)
  }
  return pieces.join('') + '}'.repeat(droppedFrom > 0 ? droppedFrom - 1 : depth)
}

/** A mended copy of an RTF file. */
export const mendRtf = async (source: Source, context: Context): Promise<Source> => {
  if (source.bytes > MAX_BYTES) throw new JobFailure('extract.source_unreadable')
  const path = join(await mkdtemp(join(context.scratch, 'mended-')), 'source.rtf')
  await writeFile(path, mendText(await readFile(source.path, 'latin1')), 'latin1')
  return { ...source, path }
}
