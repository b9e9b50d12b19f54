import type { Format } from '../../core/catalog.ts'
import { openPackage } from '../shared/ooxml/open-package.ts'
import { asPptx } from './legacy/as-pptx.ts'
import { detectKind } from './legacy/detect-kind.ts'
import { listSlides } from './reader/read-presentation.ts'

/** Counts the slides that the presentation lists, hidden ones too; at least 1. */
export const probe: NonNullable<Format['probe']> = async (source, context, { password = '' }) => {
  const found = await detectKind(source)
  if (found.kind === 'ppt' && !found.facts.isEncrypted) return { slides: Math.max(1, found.facts.slides) }
  const file = await openPackage(await asPptx(source, context, String(password)))
  try {
    const { parts } = await listSlides(file)
    return { slides: Math.max(1, parts.length) }
  } finally {
    file.close()
  }
}
