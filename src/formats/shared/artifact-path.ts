import { splitFileName } from '../../core/artifact-names.ts'
import type { Source } from '../../core/catalog.ts'

/** Where an artifact made from the whole source goes: `text/notes.txt` for `notes.md`. */
export const artifactPath = (source: Source, folder: string, extension: string): string =>
  `${folder}/${splitFileName(source.name).stem || 'file'}.${extension}`
