import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { describeFile } from '../shared/ooxml/describe-package.ts'
import { openPackage } from '../shared/ooxml/open-package.ts'
import { titleText } from './document.ts'
import { readPowerPoint } from './reader/read-presentation.ts'

/** What the file says about itself and its slides. */
export const metadata = defineCapability({
  id: 'powerpoint.metadata',
  output: 'metadata',
  defaultSelected: true,
  detail:
    'JSON: title, author, dates, custom properties, size, sections, slides with title and layout, macros, embedded files.',
  options: {},
  async *extract(source, _options, context) {
    const presentation = await readPowerPoint(source, context)
    const file = await openPackage(source)
    try {
      const data = writeJsonFile({
        ...(await describeFile(source, file)),
        slideSize: { width: presentation.width, height: presentation.height, unit: 'point' },
        ...(presentation.sections.length > 0 ? { sections: presentation.sections } : {}),
        slides: presentation.slides.map((slide) => ({
          number: slide.number,
          title: titleText(slide) ?? null,
          layout: slide.layout.name ?? null,
          hidden: slide.isHidden,
          notes: slide.notes.length > 0,
          comments: slide.comments.length,
        })),
      })
      yield { path: artifactPath(source, 'metadata', 'json'), mediaType: 'application/json', data }
    } finally {
      file.close()
    }
  },
})
