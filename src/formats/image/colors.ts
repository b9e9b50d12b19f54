import { defineCapability } from '../../core/catalog.ts'
import { FFMPEG } from '../../engines/ffmpeg-frames.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { readMainPicture } from './main-picture.ts'
import { findPalette } from './palette.ts'
import { usePicture } from './use-picture.ts'

const SAMPLE_SIDE = 160
const DARK_BELOW = 0.5

/** The dominant colours. */
export const colors = defineCapability({
  id: 'image.colors',
  output: 'colors',
  defaultSelected: false,
  detail:
    'JSON: dominant colours with the share of visible pixels they stand for, average colour, whether the picture is dark, grey, or partly clear. Of the first frame or page.',
  options: {
    maxColors: { type: 'integer', min: 1, max: 32, defaultValue: 8, detail: 'Most colours in the palette.' },
  },
  tools: [FFMPEG],
  async *extract(source, { maxColors }, context) {
    const picture = await readMainPicture(source, context)
    context.progress(0.5)
    const { data, info } = await usePicture(picture, context, (image) =>
      image
        .autoOrient()
        // Nearest: mixed pixels would be colours that the picture does not have.
        .resize({ width: SAMPLE_SIDE, height: SAMPLE_SIDE, fit: 'inside', withoutEnlargement: true, kernel: 'nearest' })
        .toColourspace('srgb')
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true }),
    )
    const { colors: found, average, transparentShare, hasTransparency } = findPalette(data, maxColors)
    const brightness = average && luma(average)
    yield {
      path: artifactPath(source, 'colors', 'json'),
      mediaType: 'application/json',
      data: writeJsonFile({
        sampledPixels: info.width * info.height,
        hasTransparency,
        transparentShare: roundShare(transparentShare),
        ...(average && brightness !== undefined
          ? {
              average: describeColor(average),
              brightness: roundShare(brightness),
              isDark: brightness < DARK_BELOW,
              isGray: found.every(isGray),
            }
          : {}),
        colors: found.map(({ share, ...color }) => ({ ...describeColor(color), share: roundShare(share) })),
      }),
    }
  },
})

type Color = { red: number; green: number; blue: number }

const describeColor = ({ red, green, blue }: Color) => ({
  hex: `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`,
  rgb: [red, green, blue],
})

/** How bright a colour looks, 0 to 1. */
const luma = ({ red, green, blue }: Color): number => (0.299 * red + 0.587 * green + 0.114 * blue) / 255

const GRAY_WITHIN = 8
const isGray = ({ red, green, blue }: Color): boolean =>
  Math.max(red, green, blue) - Math.min(red, green, blue) <= GRAY_WITHIN

const roundShare = (share: number): number => Math.round(share * 10_000) / 10_000
