import type { Format } from '../../core/catalog.ts'
import { openPackage } from '../shared/ooxml/open-package.ts'
import { listSlides } from './reader/read-presentation.ts'

/** Counts the slides that the presentation lists, hidden ones too; at least 1. */
export const probe: NonNullable<Format['probe']> = async (source) => {
  const file = await openPackage(source)
  try {
    const { parts } = await listSlides(file)
    return { slides: Math.max(1, parts.length) }
  } finally {
    file.close()
  }
}
