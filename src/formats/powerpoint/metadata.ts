import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { describeFile } from '../shared/ooxml/describe-package.ts'
import { openPackage } from '../shared/ooxml/open-package.ts'
import { passwordOption } from '../shared/password-option.ts'
import { titleText } from './document.ts'
import { asPptx } from './legacy/as-pptx.ts'
import { describeLegacy } from './legacy/describe-legacy.ts'
import { readPowerPoint } from './reader/read-presentation.ts'

/** What the file says about itself and its slides. */
export const metadata = defineCapability({
  id: 'powerpoint.metadata',
  output: 'metadata',
  defaultSelected: true,
  detail:
    'JSON: title, author, dates, custom properties, size, sections, slides with title and layout, macros, embedded files.',
  options: { password: passwordOption },
  async *extract(source, { password }, context) {
    const converted = await asPptx(source, context, password)
    const presentation = await readPowerPoint(converted, context)
    const file = await openPackage(converted)
    try {
      const data = writeJsonFile({
        ...(await describeFile(source, file, await describeLegacy(source))),
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
