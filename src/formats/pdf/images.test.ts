import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type RawObject, writeRawPdf } from './golden/raw-pdf.ts'
import { readPng, runCapability } from './golden/run-capability.ts'
import { images } from './images.ts'

const image = (dict: string, data: Uint8Array | string): RawObject => ({
  dict: `/Type /XObject /Subtype /Image ${dict}`,
  data,
})

/** A page that draws objects 5 and up, after its own content. */
const pageWith = (drawn: readonly RawObject[], content = '', resources = ''): Buffer =>
  writeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << ${resources} /XObject << ${drawn.map((_, i) => `/X${i} ${i + 5} 0 R`).join(' ')} >> >> >>`,
    { dict: '', data: `${content} ${drawn.map((_, i) => `q 9 0 0 9 ${i * 10} 0 cm /X${i} Do Q`).join(' ')}` },
    ...drawn,
  ])

const SMALL = { minSidePixels: 1 }
const run = async (...given: Parameters<typeof pageWith>) => {
  const { artifacts, warnings } = await runCapability(images, pageWith(...given), SMALL)
  const pictures = Object.entries(artifacts).filter(([path]) => path.endsWith('.png'))
  return { artifacts, warnings, rasters: pictures.map(([, png]) => readPng(png)) }
}
const RED = [255, 0, 0, 255]
const GREEN = [0, 255, 0, 255]
const WHITE = [255, 255, 255, 255]
const BLACK = [0, 0, 0, 255]

describe('pdf.images', () => {
  it('decodes colours, palettes, bits and compressions', async () => {
    const { rasters, warnings } = await run([
      image('/Width 2 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8', Buffer.from([255, 0, 0, 0, 255, 0])),
      image(
        '/Width 2 /Height 1 /ColorSpace [/Indexed /DeviceRGB 1 <FF000000FF00>] /BitsPerComponent 1',
        Buffer.from([0x40]),
      ),
      image('/Width 2 /Height 1 /ColorSpace [/Indexed /DeviceRGB 1 (abcABC)] /BitsPerComponent 1', Buffer.from([0x40])),
      image('/Width 2 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 1 /Decode [1 0]', Buffer.from([0x40])),
      image('/Width 2 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 16', Buffer.from([255, 255, 0, 0])),
      image(
        '/Width 2 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter [/ASCIIHexDecode /FlateDecode]',
        `${deflateSync(Buffer.from([255, 0])).toString('hex')}>`,
      ),
    ])
    expect(warnings).toEqual([])
    expect(rasters.map(({ width, height }) => [width, height])).toEqual(rasters.map(() => [2, 1]))
    expect(rasters.map((raster) => [raster.at(0, 0), raster.at(1, 0)])).toEqual([
      [RED, GREEN],
      [RED, GREEN],
      [
        [97, 98, 99, 255],
        [65, 66, 67, 255],
      ],
      [WHITE, BLACK],
      [WHITE, BLACK],
      [WHITE, BLACK],
    ])
  })

  it('takes masks into the alpha channel, at the finer of both sizes', async () => {
    const { rasters } = await run([
      image(
        '/Width 2 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8 /SMask 9 0 R',
        Buffer.from([255, 0, 0, 0, 255, 0]),
      ),
      image('/Width 1 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Mask 10 0 R', Buffer.from([255, 0, 0])),
      image(
        '/Width 2 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Mask [250 255 0 5 0 5]',
        Buffer.from([255, 0, 0, 0, 255, 0]),
      ),
      image('/Width 2 /Height 1 /ImageMask true', Buffer.from([0x40])),
      image('/Width 2 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8', Buffer.from([255, 0])),
      image('/Width 2 /Height 2 /ImageMask true', Buffer.from([0x40, 0x40])),
    ])
    const [soft, stencil, key, mask] = rasters
    expect([soft?.at(0, 0), soft?.at(1, 0)]).toEqual([RED, [0, 0, 0, 0]])
    expect([stencil?.width, stencil?.height, stencil?.at(0, 1), stencil?.at(1, 1)]).toEqual([2, 2, RED, [0, 0, 0, 0]])
    expect([key?.at(0, 0), key?.at(1, 0)]).toEqual([[0, 0, 0, 0], GREEN])
    expect([mask?.at(0, 0), mask?.at(1, 0)]).toEqual([BLACK, WHITE])
  })

  it('finds images in the content, in annotations and in patterns', async () => {
    const pixel = (color: string) => `BI /W 1 /H 1 /CS /RGB /BPC 8 /F /AHx ID ${color}> EI`
    const pdf = writeRawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Annots [5 0 R] /Resources << /Pattern << /P 7 0 R >> >> >>',
      { dict: '', data: `q 20 0 0 10 40 50 cm ${pixel('ff0000')} Q` },
      '<< /Type /Annot /Subtype /Stamp /Rect [10 10 30 50] /AP << /N 6 0 R >> >>',
      { dict: '/Type /XObject /Subtype /Form /BBox [0 0 1 1]', data: pixel('00ff00') },
      {
        dict: '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 5 5] /XStep 5 /YStep 5',
        data: pixel('0000ff'),
      },
    ])
    const { artifacts } = await runCapability(images, pdf, SMALL)
    const index = JSON.parse(String(artifacts['images/images.json']))
    expect(index.map(({ placements }: { placements: unknown }) => placements)).toEqual([
      [{ page: 1, box: { x: 40, y: 40, width: 20, height: 10 } }],
      [{ page: 1, box: { x: 10, y: 50, width: 20, height: 40 } }],
      [{ page: 1 }],
    ])
    expect(readPng(artifacts['images/page-001-02.png'] ?? Buffer.alloc(0)).at(0, 0)).toEqual(GREEN)
  })

  it('refuses a bomb, reports what is damaged, and takes the rest', async () => {
    const { rasters, warnings } = await run([
      image(
        '/Width 100000 /Height 100000 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode',
        deflateSync(Buffer.alloc(1_000)),
      ),
      image('/Width 5 /Height 5 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode', 'no picture at all'),
      image('/Width -5 /Height 0 /ColorSpace /DeviceRGB /BitsPerComponent 8', 'x'),
      image('/Width 1 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8', Buffer.from([255, 0, 0])),
    ])
    expect(warnings.sort()).toEqual(['pdf.image_too_large', 'pdf.image_unreadable'])
    expect(rasters.map((raster) => raster.at(0, 0))).toEqual([RED])
  })

  it('makes a very large image smaller', async () => {
    const bits = deflateSync(Buffer.alloc(2_500 * 10_000, 0xff))
    const { artifacts, warnings } = await run([
      image('/Width 20000 /Height 10000 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /FlateDecode', bits),
    ])
    const [entry] = JSON.parse(String(artifacts['images/images.json']))
    expect(warnings).toEqual(['pdf.images_reduced'])
    expect(entry).toMatchObject({ width: 10_000, height: 5_000, sourceWidth: 20_000, sourceHeight: 10_000 })
  })

  it('is not led in circles by forms, nor into endless repetition', async () => {
    const form = (own: number, uses: string): RawObject => ({
      dict: `/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /A ${own + 1} 0 R /S 5 0 R >> >>`,
      data: uses,
    })
    const many = '/A Do '.repeat(40)
    const { warnings } = await run([
      ...Array.from({ length: 12 }, (_, i) => form(i + 5, `${many} /S Do`)),
      image('/Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8', Buffer.from([0])),
    ])
    expect(warnings).toEqual(['pdf.images_partial'])
  })
})
