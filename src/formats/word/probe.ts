import type { Context, Format, Source } from '../../core/catalog.ts'
import { openPackage } from '../shared/ooxml/open-package.ts'
import type { OfficePackage } from '../shared/ooxml/package.ts'
import { readApplicationProperties } from '../shared/ooxml/properties.ts'
import { readPart } from '../shared/ooxml/read-part.ts'
import { makePause } from '../shared/read-chunks.ts'
import { asDocx } from './legacy/as-docx.ts'
import { countDoc } from './legacy/count-doc.ts'
import { countRtf } from './legacy/count-rtf.ts'
import { detectKind } from './legacy/detect-kind.ts'

const CHARACTERS_PER_PAGE = 1_800

/** Pages as the file counts them; where it does not, as many as its characters fill. */
export const probe: NonNullable<Format['probe']> = async (source, context, { password = '' }) => {
  const counted = await countLegacy(source, String(password), context)
  if (counted) return { pages: counted.statedPages || toPages(counted.characters) }
  const file = await openPackage(await asDocx(source, context, String(password)))
  try {
    // What a conversion says of pages is its own opinion.
    const { pages } = (await detectKind(source)) === 'docx' ? await readApplicationProperties(file) : {}
    if (typeof pages === 'number' && pages > 0) return { pages }
    return { pages: toPages(await countCharacters(file, makePause(context))) }
  } finally {
    file.close()
  }
}

const toPages = (characters: number): number => Math.max(1, Math.ceil(characters / CHARACTERS_PER_PAGE))

/** What old files say of their length, without a conversion. */
const countLegacy = async (
  source: Source,
  password: string,
  context: Context,
): Promise<{ statedPages: number; characters: number } | undefined> => {
  switch (await detectKind(source)) {
    case 'rtf':
    case 'rtf-piece':
      return await countRtf(source, context)
    case 'doc':
      return await countDoc(source, password)
    default:
      return undefined
  }
}

/** Characters of the text in the body, without reading more of it than that. */
const countCharacters = async (file: OfficePackage, pause: () => Promise<void> | undefined): Promise<number> => {
  let characters = 0
  let isText = false
  await readPart(
    file,
    file.mainPart,
    {
      open(name) {
        isText = name === 'w:t' || name === 'm:t'
      },
      close() {
        isText = false
      },
      text(text) {
        if (isText) characters += text.length
      },
    },
    pause,
  )
  return characters
}
