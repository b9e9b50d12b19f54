import type { Context, Source } from '../../core/catalog.ts'
import { perSource } from '../shared/per-source.ts'
import { makePause } from '../shared/read-chunks.ts'
import { countCharacters } from './chapters/count-characters.ts'
import { decodeMarkup } from './chapters/decode-markup.ts'
import { openEpub, readNavigation } from './epub/open-epub.ts'
import { isText, MAX_CHAPTER_BYTES } from './epub/read-epub.ts'
import { openFb2 } from './fb2/open-fb2.ts'
import { scanFb2 } from './fb2/scan-fb2.ts'
import { assembleParts } from './mobi/assemble-parts.ts'
import { openMobi } from './mobi/open-mobi.ts'
import { readText } from './mobi/read-text.ts'
import { textBelow } from './xml.ts'

const CHARACTERS_PER_PAGE = 1_800

/** Pages as the file lists them; where it does not, as many as its characters fill. */
export const countPages = perSource(async (source: Source, context: Context): Promise<number> => {
  switch (source.extension) {
    case 'epub':
      return await countEpub(source, context)
    case 'fb2':
    case 'fbz':
      return fill(await countFb2(source, context))
    default:
      return fill(await countMobi(source, context))
  }
})

const fill = (characters: number): number => Math.max(1, Math.ceil(characters / CHARACTERS_PER_PAGE))

const countEpub = async (source: Source, context: Context): Promise<number> => {
  const file = await openEpub(source.path)
  try {
    const { pages } = await readNavigation(file)
    if (pages > 0) return pages
    const pause = makePause(context)
    let characters = 0
    for (const item of file.opf.spine.filter(isText)) {
      const content = await file.read(item.path, MAX_CHAPTER_BYTES).catch(() => undefined)
      if (content) characters += countCharacters(decodeMarkup(content))
      await pause()
    }
    return fill(characters)
  } finally {
    file.archive.close()
  }
}

const countFb2 = async (source: Source, context: Context): Promise<number> => {
  let characters = 0
  await scanFb2(
    openFb2(source, context),
    {
      description: () => undefined,
      body(element) {
        characters += textBelow(element).length
      },
      beginBinary: () => undefined,
      binaryPiece: () => undefined,
      endBinary: () => undefined,
    },
    makePause(context),
  )
  return characters
}

const countMobi = async (source: Source, context: Context): Promise<number> => {
  const { file, header } = openMobi(source.path)
  try {
    const text = await readText(file, header, context)
    const decoder = new TextDecoder(header.encoding)
    if (header.version < 8) return countCharacters(decoder.decode(text))
    const { parts } = assembleParts(file, header, text)
    return parts.reduce((sum, { markup }) => sum + countCharacters(decoder.decode(markup)), 0)
  } finally {
    file.close()
  }
}
