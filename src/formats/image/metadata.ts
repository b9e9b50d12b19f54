import { type Context, defineCapability, type Source } from '../../core/catalog.ts'
import { EXIFTOOL, readTags } from '../../engines/exiftool.ts'
import { readHeader } from '../../engines/sharp.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { type Animation, type ImageFacts, readFacts } from './facts.ts'
import { readIcon } from './ico.ts'
import { MEDIA_TYPES } from './kinds.ts'
import { listTags, summarizeTags } from './tags.ts'

/** To find a page, the decoder goes through all before it: the sizes of more are left to the frames themselves. */
const MAX_LISTED_PAGES = 100

/** Everything that the file says about itself. */
export const metadata = defineCapability({
  id: 'image.metadata',
  output: 'metadata',
  defaultSelected: true,
  detail:
    'JSON: format as found, size, orientation, frames and their times, colour, density, camera, place, description; then all EXIF, IPTC, XMP, ICC and other tags by group.',
  options: {},
  tools: [EXIFTOOL],
  async *extract(source, _options, context) {
    const facts = await readFacts(source, context)
    context.progress(0.3)
    const groups = await readTags(source.path, context)
    context.progress(0.9)
    if (!groups) context.warn('image.tags_unreadable', 'The tags of the file could not be read.')
    yield {
      path: artifactPath(source, 'metadata', 'json'),
      mediaType: 'application/json',
      data: writeJsonFile({
        format: facts.kind,
        mediaType: MEDIA_TYPES[facts.kind],
        bytes: source.bytes,
        ...describeSize(facts),
        frameCount: facts.frames,
        ...(facts.animation ? { animation: describeAnimation(facts.animation) } : {}),
        ...(await listPictures(source, context, facts)),
        color: describeColor(facts),
        ...(groups ? { ...summarizeTags(groups), tags: listTags(groups) } : {}),
      }),
    }
  },
})

/** Width and height as the picture is shown; as it is stored where that is another. */
const describeSize = ({ width, height, orientation = 1 }: ImageFacts): object => {
  const isTurned = orientation >= 5
  return {
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    orientation,
    ...(isTurned ? { stored: { width, height } } : {}),
  }
}

const describeAnimation = ({ frameDurationsSeconds, loops }: Animation): object => ({
  durationSeconds: Math.round(frameDurationsSeconds.reduce((sum, seconds) => sum + seconds, 0) * 1e6) / 1e6,
  ...(loops === undefined ? {} : loops === 0 ? { loopsForever: true } : { loopsForever: false, loopCount: loops }),
  frameDurationsSeconds,
})

const describeColor = (facts: ImageFacts): object => {
  const { colorSpace, channels, bitsPerChannel, hasAlpha, isGray, isPalette, isProgressive } = facts
  return { space: colorSpace, channels, bitsPerChannel, hasAlpha, isGray, isPalette, isProgressive }
}

/** Sizes of the pages of a document or of an icon, which may all be different. */
const listPictures = async (source: Source, context: Context, { kind, frames, pages }: ImageFacts): Promise<object> => {
  if (kind === 'ico') {
    const entries = await readIcon(source, context)
    return {
      sizes: entries.map(({ width, height, bitsPerPixel, encoding }) => ({ width, height, bitsPerPixel, encoding })),
    }
  }
  const isCollection = kind === 'tiff' || kind === 'avif' || kind === 'heif'
  if (!isCollection || frames === 1 || frames > MAX_LISTED_PAGES) return {}
  const shown = pages ?? Array.from({ length: frames }, (_, page) => page)
  const sizes: object[] = []
  for (const page of shown) {
    const { width, height } = await readHeader({ input: source.path, options: { page } })
    sizes.push({ page: sizes.length + 1, width, height })
  }
  return { pages: sizes }
}
