import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { passwordOption } from '../shared/password-option.ts'
import { type OdfPackage, openOdf } from './package/open-package.ts'
import { type OdfDocument, readOdf } from './reader/read-document.ts'
import { titleText } from './reader/slides.ts'

const MAX_LISTED = 500

/** What the file says about itself. */
export const metadata = defineCapability({
  id: 'opendocument.metadata',
  output: 'metadata',
  defaultSelected: true,
  detail: 'JSON: title, author, dates, counts, custom properties, slides with their titles, macros, embedded objects.',
  options: { password: passwordOption },
  async *extract(source, { password }, context) {
    const odf = await readOdf(source, context, password)
    const file = await openOdf(source, password, context)
    try {
      const { said, counts, custom } = odf.properties
      const data = writeJsonFile({
        format: source.extension,
        bytes: source.bytes,
        ...said,
        ...(odf.language && !said.language ? { language: odf.language } : {}),
        kind: odf.kind,
        ...(Object.keys(counts).length > 0 ? { counts } : {}),
        ...(Object.keys(custom).length > 0 ? { custom } : {}),
        ...describeFile(file),
        ...describeSlides(odf),
        comments: odf.comments.length,
        trackedChanges: odf.changes.length,
      })
      yield { path: artifactPath(source, 'metadata', 'json'), mediaType: 'application/json', data }
    } finally {
      file.close()
    }
  },
})

const describeFile = ({ parts, isEncrypted }: OdfPackage): object => {
  const objects = parts.filter(({ name }) => /^(?!ObjectReplacements)[^/]+\/content\.xml$/.test(name))
  return {
    encrypted: isEncrypted,
    macros: parts.some(({ name }) => /^(?:Basic|Scripts)\/.+/.test(name)),
    signed: parts.some(({ name }) => /^META-INF\/documentsignatures\.xml$/i.test(name)),
    ...(objects.length > 0
      ? {
          embeddedObjects: objects
            .slice(0, MAX_LISTED)
            .map(({ name, bytes }) => ({ part: name.replace(/\/content\.xml$/, ''), bytes })),
        }
      : {}),
  }
}

const describeSlides = ({ kind, slides }: OdfDocument): object => {
  if (kind === 'text') return {}
  const list = slides.map((slide) => ({
    number: slide.number,
    title: titleText(slide) ?? slide.name ?? null,
    hidden: slide.isHidden,
    notes: slide.notes.length > 0,
  }))
  return kind === 'drawing' ? { pages: list.map(({ number, title }) => ({ number, title })) } : { slides: list }
}
