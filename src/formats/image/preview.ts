import { defineCapability } from '../../core/catalog.ts'
import { FFMPEG } from '../../engines/ffmpeg-frames.ts'
import type { Sharp } from '../../engines/sharp.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { readMainPicture } from './main-picture.ts'
import { warnShortcomings } from './shortcomings.ts'
import { usePicture } from './use-picture.ts'
import { warnOnce } from './warnings.ts'

/** A small picture for lists and galleries. */
export const preview = defineCapability({
  id: 'image.preview',
  output: 'previews',
  defaultSelected: true,
  detail: 'A small upright picture of the first frame or page, or the largest size of an icon.',
  options: {
    size: {
      type: 'integer',
      min: 16,
      max: 4_096,
      defaultValue: 512,
      detail: 'Longest side in pixels; smaller pictures keep their size.',
    },
    format: {
      type: 'enum',
      allowedValues: ['webp', 'png', 'jpeg'],
      defaultValue: 'webp',
      detail: 'JPEG has no transparency: what is clear becomes white.',
    },
  },
  tools: [FFMPEG],
  async *extract(source, { size, format }, jobContext) {
    const context = warnOnce(jobContext)
    await warnShortcomings(source, context)
    const picture = await readMainPicture(source, context)
    context.progress(0.5)
    const data = await usePicture(picture, context, (image) =>
      ENCODERS[format](
        image.autoOrient().resize({ width: size, height: size, fit: 'inside', withoutEnlargement: true }),
      ).toBuffer(),
    )
    yield {
      path: artifactPath(source, 'previews', format === 'jpeg' ? 'jpg' : format),
      mediaType: `image/${format}`,
      data,
    }
  },
})

const ENCODERS: Readonly<Record<'webp' | 'png' | 'jpeg', (image: Sharp) => Sharp>> = {
  webp: (image) => image.webp({ quality: 82 }),
  png: (image) => image.png({ compressionLevel: 9 }),
  jpeg: (image) => image.flatten({ background: '#ffffff' }).jpeg({ quality: 85 }),
}
