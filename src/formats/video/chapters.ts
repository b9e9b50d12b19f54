import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { readMedia } from '../shared/media/read-media.ts'
import { writeVtt } from './cues.ts'

/** The chapters of the film. */
export const chapters = defineCapability({
  id: 'video.chapters',
  output: 'chapters',
  defaultSelected: false,
  detail: 'Chapters with times and titles as JSON and as a WebVTT chapter track.',
  options: {},
  async *extract(source, _options, context) {
    const { chapters: found } = await readMedia(source, context)
    if (found.length === 0) return context.warn('video.no_chapters', 'The file has no chapters.')
    const listed = found.map((chapter, i) => ({
      number: i + 1,
      ...chapter,
      title: chapter.title ?? `Chapter ${i + 1}`,
    }))
    yield {
      path: artifactPath(source, 'chapters', 'json'),
      mediaType: 'application/json',
      data: writeJsonFile({ chapterCount: listed.length, chapters: listed }),
    }
    yield {
      path: artifactPath(source, 'chapters', 'vtt'),
      mediaType: 'text/vtt; charset=utf-8',
      data: writeVtt(listed.map(({ startSeconds, endSeconds, title }) => ({ startSeconds, endSeconds, text: title }))),
    }
  },
})
