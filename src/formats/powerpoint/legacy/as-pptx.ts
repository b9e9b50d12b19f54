import type { Context, Source } from '../../../core/catalog.ts'
import { JobFailure } from '../../../core/errors.ts'
import { convertSource, type Import, printSource } from '../../shared/legacy/convert-source.ts'
import { unlockPackage } from '../../shared/ooxml/encryption/unlock-package.ts'
import { perSource } from '../../shared/per-source.ts'
import { detectKind, type PresentationKind } from './detect-kind.ts'

const FILTERS = {
  pptx: 'Impress MS PowerPoint 2007 XML',
  ppt: 'MS PowerPoint 97',
  key: 'Apple Keynote',
  odp: 'impress8',
} as const satisfies Record<PresentationKind['kind'], string>

/** The file that the reader of presentations opens: the source itself, or what LibreOffice made of it, once a job. */
export const asPptx = perSource(async (source: Source, context: Context, password: string): Promise<Source> => {
  const file = await unlockPackage(source, context, password)
  const found = await detectKind(file)
  return found.kind === 'pptx' ? file : await convertSource(file, chooseImport(found), password, context)
})

/** The slides as they would be printed: a PDF file, made once a job. */
export const printSlides = perSource(async (source: Source, context: Context, password: string): Promise<string> => {
  const file = await unlockPackage(source, context, password)
  return await printSource(file, chooseImport(await detectKind(file)), password, context)
})

const chooseImport = (found: PresentationKind): Import => {
  if (found.kind === 'ppt' && found.facts.isEncrypted) throw new JobFailure('extract.source_encrypted')
  return { kind: 'slides', importFilter: FILTERS[found.kind] }
}
