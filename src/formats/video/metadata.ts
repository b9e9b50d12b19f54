import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { readMedia } from '../shared/media/read-media.ts'
import { describeMedia } from './describe.ts'

/** What the file says about itself. */
export const metadata = defineCapability({
  id: 'video.metadata',
  output: 'metadata',
  defaultSelected: true,
  detail: 'Container, tracks, chapters, tags, colours, rotation and bit rates in one record, and the raw probe.',
  options: {},
  async *extract(source, _options, context) {
    const media = await readMedia(source, context)
    yield {
      path: artifactPath(source, 'metadata', 'json'),
      mediaType: 'application/json',
      data: writeJsonFile(describeMedia(source, media)),
    }
    yield { path: 'metadata/probe.json', mediaType: 'application/json', data: writeJsonFile(media.raw) }
  },
})
