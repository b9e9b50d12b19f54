import { describe, expect, it } from 'vitest'
import { writeRawPdf } from './golden/raw-pdf.ts'
import { readPng, runCapability } from './golden/run-capability.ts'
import { pages } from './pages.ts'

const document = (page: string, content: string): Buffer =>
  writeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /Contents 4 0 R ${page} >>`,
    { dict: '', data: content },
  ])
const CORNER = '1 0 0 rg 0 36 36 36 re f'

describe('pdf.pages', () => {
  it('draws a page as it is shown, at the resolution asked for', async () => {
    const turned = document('/MediaBox [0 0 144 72] /Rotate 90', CORNER)
    const { artifacts, warnings } = await runCapability(pages, turned, { dpi: 36 })
    const picture = readPng(artifacts['pages/page-001.png'] ?? Buffer.alloc(0))
    expect([picture.width, picture.height, warnings]).toEqual([36, 72, []])
    expect([picture.at(30, 5), picture.at(5, 5), picture.at(30, 40)]).toEqual([
      [255, 0, 0, 255],
      [255, 255, 255, 255],
      [255, 255, 255, 255],
    ])
  })

  it('draws form fields and annotations', async () => {
    const pdf = writeRawPdf([
      '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] >> >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 72 72] >>',
      '<< /Type /Page /Parent 2 0 R /Annots [4 0 R 5 0 R] >>',
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /F 4 /Rect [0 0 36 36] /AP << /N 6 0 R >> >>',
      '<< /Type /Annot /Subtype /Stamp /F 4 /Rect [36 36 72 72] /AP << /N 6 0 R >> >>',
      { dict: '/Type /XObject /Subtype /Form /BBox [0 0 36 36]', data: '0 0 1 rg 0 0 36 36 re f' },
    ])
    const { artifacts } = await runCapability(pages, pdf, { dpi: 72 })
    const picture = readPng(artifacts['pages/page-001.png'] ?? Buffer.alloc(0))
    expect([picture.at(18, 54), picture.at(54, 18), picture.at(18, 18)]).toEqual([
      [0, 0, 255, 255],
      [0, 0, 255, 255],
      [255, 255, 255, 255],
    ])
  })

  it.each([
    ['jpeg', 'jpg', 'ffd8ff'],
    ['webp', 'webp', '52494646'],
  ])('writes %s', async (format, extension, start) => {
    const { artifacts } = await runCapability(pages, document('/MediaBox [0 0 72 72]', CORNER), { format })
    expect(artifacts[`pages/page-001.${extension}`]?.toString('hex')).toMatch(new RegExp(`^${start}`))
  })

  it('writes shades of grey', async () => {
    const { artifacts } = await runCapability(pages, document('/MediaBox [0 0 72 72]', CORNER), { grayscale: true })
    const [red = 0, green, blue] = readPng(artifacts['pages/page-001.png'] ?? Buffer.alloc(0)).at(5, 5)
    expect([green, blue]).toEqual([red, red])
    expect(red).toBeLessThan(255)
  })

  it.each([
    ['giant', '0 0 14400 14400'],
    ['long', '0 0 14400 1'],
  ])('draws a %s page smaller, and says so', async (_title, box) => {
    const { artifacts, warnings } = await runCapability(pages, document(`/MediaBox [${box}]`, ''), { dpi: 600 })
    const header = artifacts['pages/page-001.png'] ?? Buffer.alloc(24)
    expect(header.readUInt32BE(16) * header.readUInt32BE(20)).toBeLessThanOrEqual(50_000_000)
    expect(header.readUInt32BE(16)).toBeLessThanOrEqual(32_000)
    expect(warnings).toEqual(['pdf.pages_reduced'])
  })

  it('says which pages have no extent', async () => {
    const { artifacts, warnings } = await runCapability(
      pages,
      document('/MediaBox [0 0 9 9] /CropBox [20 20 30 30]', ''),
    )
    expect([Object.keys(artifacts), warnings]).toEqual([[], ['pdf.page_unreadable']])
  })
})
