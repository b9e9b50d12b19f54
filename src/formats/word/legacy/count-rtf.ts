import { createReadStream } from 'node:fs'
import type { Context, Source } from '../../../core/catalog.ts'
import { makePause } from '../../shared/read-chunks.ts'

/** What an RTF file says of its pages, 0 where it does not, and its characters. */
export type RtfCount = { statedPages: number; characters: number }

/** Groups whose text is not the document's. */
const SILENT = new Set(
  `fonttbl colortbl stylesheet listtable listoverridetable rsidtbl info generator pict object themedata datastore
  latentstyles colorschememapping xmlnstbl header headerl headerr headerf footer footerl footerr footerf fldinst
  revtbl filetbl bkmkstart bkmkend mmathPr pgdsctbl`.split(/\s+/),
)
/** In pieces of a line or so: what a word or a group begins with must not be cut in two. */
const TOKEN = /\\([a-zA-Z]{1,40})(-?\d{1,10})? ?|\\'[0-9a-fA-F]{2}|\\([^a-zA-Z'])|([{}])|[^\\{}\r\n]+|[\r\n]+|\\/gs
const TAIL = 64
const MAX_DEPTH = 10_000

/** Reads an RTF file once, and counts. */
export const countRtf = async (source: Source, context: Context): Promise<RtfCount> => {
  const pause = makePause(context)
  const silentFrom: boolean[] = []
  let silent = false
  let first = false
  let statedPages = 0
  let characters = 0
  let rest = ''
  const take = (text: string): void => {
    for (const [token, word, value, symbol, brace] of text.matchAll(TOKEN)) {
      if (brace === '{') {
        if (silentFrom.length < MAX_DEPTH) silentFrom.push(silent)
        first = true
        continue
      }
      if (brace === '}') silent = silentFrom.pop() ?? false
      else if (symbol === '*' && first) silent = true
      else if (word !== undefined) {
        if (word === 'nofpages' && value) statedPages = Number(value)
        if (first && SILENT.has(word)) silent = true
        if (word === 'u' && !silent) characters++
      } else if (!silent && !/^[\r\n\\]/.test(token)) characters += token.length
      else if (!silent && token.startsWith("\\'")) characters++
      first = false
    }
  }
  for await (const chunk of createReadStream(source.path, { highWaterMark: 262_144 }) as AsyncIterable<Buffer>) {
    context.signal.throwIfAborted()
    const text = rest + chunk.toString('latin1')
    const cut = Math.max(0, text.length - TAIL)
    const end = Math.max(text.lastIndexOf('\\', cut), text.lastIndexOf('{', cut), text.lastIndexOf('}', cut), 0)
    take(text.slice(0, end))
    rest = text.slice(end)
    await pause()
  }
  take(rest)
  return { statedPages, characters }
}
