import { loadSharp, openPicture } from '../../engines/sharp.ts'
import type { Size } from './picture.ts'
import type { TakenFrame } from './take-frames.ts'

const FRAME_MS = 500

/** Draws frames as an animation that goes on for ever. */
export const drawAnimation = async (
  frames: readonly TakenFrame[],
  size: Size,
  format: 'webp' | 'gif',
): Promise<Buffer> => {
  const pages: Buffer[] = []
  for (const { file } of frames) {
    const picture = await openPicture({ input: file }, 'lenient')
    pages.push(
      await picture
        .resize({ ...size, fit: 'fill' })
        .toColourspace('srgb')
        .removeAlpha()
        .raw()
        .toBuffer(),
    )
  }
  const sharp = await loadSharp()
  const height = size.height * pages.length
  const raw = { width: size.width, height, channels: 3 as const, pageHeight: size.height }
  const film = sharp(Buffer.concat(pages), { raw })
  const times = { loop: 0, delay: pages.map(() => FRAME_MS) }
  return format === 'webp'
    ? film.webp({ ...times, quality: 75, effort: 3 }).toBuffer()
    : film.gif({ ...times, effort: 3 }).toBuffer()
}
