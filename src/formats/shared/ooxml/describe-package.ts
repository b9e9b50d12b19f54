import type { Source } from '../../../core/catalog.ts'
import type { OfficePackage } from './package.ts'
import { type OfficeProperties, readProperties } from './properties.ts'

const MAX_LISTED = 500

/** What is known of the file that a package was converted from, which the package itself cannot tell. */
export type Origin = { properties?: OfficeProperties; macros: boolean }

/** What a file says about itself, and what it carries besides its text. */
export const describeFile = async (
  { extension, bytes }: Source,
  file: OfficePackage,
  origin?: Origin,
): Promise<object> => {
  const { core, application, custom } = origin?.properties ?? (await readProperties(file))
  // What a converter says of itself and of its own page breaks is not about the file.
  const isForeign = origin !== undefined && origin.properties === undefined
  return {
    format: extension,
    bytes,
    ...core,
    application: isForeign ? {} : application,
    ...(Object.keys(custom).length > 0 ? { custom } : {}),
    ...(await describePackage(file)),
    ...(origin ? { macros: origin.macros } : {}),
  }
}

/** Macros, files inside files, signatures, what it would fetch from outside. */
const describePackage = async (file: OfficePackage): Promise<object> => {
  const names = file.archive.entries.filter(({ isFolder }) => !isFolder)
  const relationships = [...(await file.relationshipsOf(file.mainPart)).values()]
  const outside = relationships.filter(({ isExternal, type }) => isExternal && type !== 'hyperlink')
  const embedded = names
    .filter(({ name }) => /\/embeddings\//i.test(name))
    .map(({ name, bytes }) => ({ part: name, bytes }))
  return {
    macros: names.some(({ name }) => /vbaProject\.bin$/i.test(name)),
    signed: names.some(({ name }) => /^_xmlsignatures\//i.test(name)),
    hyperlinks: relationships.filter(({ type }) => type === 'hyperlink').length,
    ...(outside.length > 0
      ? { externalReferences: outside.slice(0, MAX_LISTED).map(({ type, target }) => ({ type, target })) }
      : {}),
    ...(embedded.length > 0 ? { embeddedFiles: embedded.slice(0, MAX_LISTED) } : {}),
  }
}
