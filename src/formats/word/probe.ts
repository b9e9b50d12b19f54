import type { Format } from '../../core/catalog.ts'
import { openPackage } from '../shared/ooxml/open-package.ts'
import type { OfficePackage } from '../shared/ooxml/package.ts'
import { readApplicationProperties } from '../shared/ooxml/properties.ts'
import { readPart } from '../shared/ooxml/read-part.ts'
import { makePause } from '../shared/read-chunks.ts'

const CHARACTERS_PER_PAGE = 1_800

/** Pages as the file counts them; where it does not, as many as its characters fill. */
export const probe: NonNullable<Format['probe']> = async (source, context) => {
  const file = await openPackage(source)
  try {
    const { pages } = await readApplicationProperties(file)
    if (typeof pages === 'number' && pages > 0) return { pages }
    const characters = await countCharacters(file, makePause(context))
    return { pages: Math.max(1, Math.ceil(characters / CHARACTERS_PER_PAGE)) }
  } finally {
    file.close()
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
