// Makes the sources of the golden cases: `node src/formats/image/golden/make.mjs`. They are kept in the repository;
// run this only to change them. Needs Debian's ffmpeg with libx265 and libaom, which nothing else here does.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32, deflateSync } from 'node:zlib'
import * as magick from '@imagemagick/magick-wasm'
import sharp from 'sharp'

const here = import.meta.dirname
const work = mkdtempSync(join(tmpdir(), 'golden-image-'))
const put = (path, bytes) => {
  mkdirSync(dirname(join(here, path)), { recursive: true })
  writeFileSync(join(here, path), bytes)
}
const u16 = (n) => Buffer.from([n >> 8, n])
const u32 = (n) => Buffer.from([n >>> 24, n >> 16, n >> 8, n])
const le16 = (n) => Buffer.from([n, n >> 8])
const le32 = (n) => Buffer.from([n, n >> 8, n >> 16, n >>> 24])
const cat = (...parts) => Buffer.concat(parts.flat().map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))

/** A picture with four fields of colour, a grey ramp, and (with alpha) a clear corner. */
const paint = (width, height, channels = 3, shift = 0) => {
  const pixels = Buffer.alloc(width * height * channels)
  const fields = [[220, 40, 40], [40, 160, 60], [40, 80, 200], [240, 200, 40]]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const field = fields[(((x * 2) / width) | 0) + 2 * (((y * 2) / height) | 0)]
      const color = y === height - 1 ? [x * 8, x * 8, x * 8] : field.map((channel) => (channel + shift) & 255)
      const clear = x < width / 4 && y < height / 4 ? 0 : 255
      pixels.set([...color, clear].slice(0, channels), (y * width + x) * channels)
    }
  }
  return pixels
}
const raw = (width, height, channels, shift) => sharp(paint(width, height, channels, shift), { raw: { width, height, channels } })

// PNG, still and animated.
const chunk = (type, data) => {
  const body = cat(type, data)
  return cat(u32(data.length), body, u32(crc32(body)))
}
const MARK = Buffer.from('89504e470d0a1a0a', 'hex')
const header = (width, height, color = 6) => chunk('IHDR', cat(u32(width), u32(height), Buffer.from([8, color, 0, 0, 0])))
const rows = (width, height, pixel) => {
  const lines = []
  for (let y = 0; y < height; y++) lines.push(Buffer.from([0, ...Array.from({ length: width }, () => pixel).flat()]))
  return deflateSync(Buffer.concat(lines))
}
put('png/flags.png', await raw(16, 12, 4).png().toBuffer())
put('png-sixteen-bits/deep.png', await raw(8, 6, 3).toColourspace('rgb16').png().toBuffer())
{
  let sequence = 0
  const control = (x, y, width, height, hundredths, dispose, blend) =>
    chunk('fcTL', cat(u32(sequence++), u32(width), u32(height), u32(x), u32(y), u16(hundredths), u16(100), Buffer.from([dispose, blend])))
  const more = (data) => chunk('fdAT', cat(u32(sequence++), data))
  put(
    'apng/blink.png',
    cat(
      MARK, header(8, 6), chunk('acTL', cat(u32(4), u32(2))),
      control(0, 0, 8, 6, 10, 0, 0), chunk('IDAT', rows(8, 6, [200, 30, 30, 255])),
      // Over the first, half clear; taken back.
      control(1, 1, 4, 4, 20, 2, 1), more(rows(4, 4, [30, 30, 200, 128])),
      // In place of what is there; cleared afterwards.
      control(4, 2, 4, 4, 30, 1, 0), more(rows(4, 4, [30, 200, 30, 255])),
      control(0, 0, 1, 1, 5, 0, 0), more(rows(1, 1, [255, 255, 255, 255])),
      chunk('IEND', Buffer.alloc(0)),
    ),
  )
}

// GIF and WebP.
const frames = cat(paint(10, 8, 4, 0), paint(10, 8, 4, 40), paint(10, 8, 4, 80))
const animation = () => sharp(frames, { raw: { width: 10, height: 24, channels: 4, pageHeight: 8 } })
put('gif/turn.gif', await animation().gif({ delay: [100, 250, 50], loop: 0 }).toBuffer())
put('webp/turn.webp', await animation().webp({ lossless: true, exact: true, delay: [100, 250, 50], loop: 3 }).toBuffer())
put('gif-cut-off/turn.gif', (await animation().gif({ delay: [100, 250, 50], loop: 0 }).toBuffer()).subarray(0, -40))
put('misnamed/turn.png', await animation().gif({ delay: [100, 250, 50], loop: 0 }).toBuffer())

// TIFF: pages of different sizes and depths, the second upside down.
{
  const pages = [
    { width: 12, height: 8, channels: 3, orientation: 1, data: paint(12, 8, 3) },
    { width: 6, height: 10, channels: 3, orientation: 3, data: paint(6, 10, 3) },
    { width: 16, height: 4, channels: 1, orientation: 1, data: Buffer.from(Array.from({ length: 64 }, (_, i) => (i % 16) * 16)) },
  ]
  const tiff = (loops) => {
    let file = cat('II*\0', le32(8))
    for (const [index, { width, height, channels, orientation, data }] of pages.entries()) {
      const entries = [[256, 3, width], [257, 3, height], [258, 3, 8], [259, 3, 1], [262, 3, channels === 3 ? 2 : 1], [273, 4, 0], [274, 3, orientation], [277, 3, channels], [278, 3, height], [279, 4, data.length], [282, 5, 0], [283, 5, 0], [296, 3, 2]]
      const at = file.length
      const resolutionAt = at + 2 + entries.length * 12 + 4
      const bitsAt = resolutionAt + 8
      const dataAt = bitsAt + 6
      const next = index === pages.length - 1 ? (loops ? 8 : 0) : dataAt + data.length + (data.length & 1)
      const values = { 258: channels === 3 ? bitsAt : 8, 273: dataAt, 282: resolutionAt, 283: resolutionAt }
      const counts = { 258: channels }
      file = cat(file, le16(entries.length), entries.map(([tag, type, value]) => cat(le16(tag), le16(type), le32(counts[tag] ?? 1), le32(values[tag] ?? value))), le32(next), le32(300), le32(1), le16(8), le16(8), le16(8), data, data.length & 1 ? '\0' : '')
    }
    return file
  }
  put('tiff/pages.tiff', tiff(false))
  put('tiff-loop/pages.tiff', tiff(true))
}

// ICO: four bits with a mask, thirty-two bits with alpha, and a PNG.
{
  const bitmap = (size, bits, palette, pixels, mask) => cat(le32(40), le32(size), le32(size * 2), le16(1), le16(bits), Buffer.alloc(24), palette, pixels, mask)
  const four = bitmap(
    8, 4, cat(...Array.from({ length: 16 }, (_, i) => Buffer.from([i * 16, 255 - i * 16, i * 8, 0]))),
    Buffer.from(Array.from({ length: 32 }, (_, i) => i * 7)),
    Buffer.from(Array.from({ length: 32 }, (_, i) => (i % 4 === 0 ? 0b11000011 : 0))),
  )
  const deep = bitmap(16, 32, Buffer.alloc(0), Buffer.from(Array.from({ length: 1024 }, (_, i) => (i % 4 === 3 ? 255 - (i >> 4) : i & 255))), Buffer.alloc(64))
  const png = await raw(24, 24, 4).png().toBuffer()
  const images = [four, deep, png]
  let at = 6 + images.length * 16
  const entries = images.map((image, index) => {
    const entry = cat(Buffer.from([[8, 16, 24][index], [8, 16, 24][index], 0, 0]), le16(1), le16([4, 32, 32][index]), le32(image.length), le32(at))
    at += image.length
    return entry
  })
  put('ico/sizes.ico', cat(le16(0), le16(1), le16(images.length), entries, images))
}

// BMP and PSD.
{
  const [width, height] = [6, 4]
  const pixels = paint(width, height, 3)
  const lines = []
  for (let y = height - 1; y >= 0; y--) {
    for (let x = 0; x < width; x++) lines.push(pixels[(y * width + x) * 3 + 2], pixels[(y * width + x) * 3 + 1], pixels[(y * width + x) * 3])
    while (lines.length % 4) lines.push(0)
  }
  put('bmp/fields.bmp', cat('BM', le32(54 + lines.length), le32(0), le32(54), le32(40), le32(width), le32(height), le16(1), le16(24), le32(0), le32(lines.length), le32(11811), le32(11811), le32(0), le32(0), Buffer.from(lines)))
  const planes = [0, 1, 2].map((channel) => Buffer.from(Array.from({ length: width * height }, (_, i) => pixels[i * 3 + channel])))
  put('psd/fields.psd', cat('8BPS', u16(1), Buffer.alloc(6), u16(3), u32(height), u32(width), u16(8), u16(3), u32(0), u32(0), u32(0), u16(0), planes))
}

// AVIF, HEIF, JPEG 2000 and JPEG XL.
put('avif/fields.avif', await raw(16, 12, 3).avif({ lossless: true, chromaSubsampling: '4:4:4' }).toBuffer())
await magick.initializeImageMagick(readFileSync(fileURLToPath(import.meta.resolve('@imagemagick/magick-wasm/magick.wasm'))))
const write = (format, shifts) => {
  const collection = magick.MagickImageCollection.create()
  for (const shift of shifts) {
    const image = magick.MagickImage.create()
    image.read(paint(16, 12, 3, shift), new magick.MagickReadSettings({ format: 'RGB', width: 16, height: 12, depth: 8 }))
    image.quality = 100
    image.animationDelay = 20
    collection.push(image)
  }
  return collection.write(format, (bytes) => Buffer.from(bytes))
}
put('jp2/fields.jp2', write('JP2', [0]))
put('jxl/fields.jxl', write('JXL', [0]))
put('jxl-animated/turn.jxl', write('JXL', [0, 40, 80]))
const ffmpeg = (input, args, name) => {
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...input, '-map_metadata', '-1', '-fflags', '+bitexact', '-flags:v', '+bitexact', ...args, join(work, name)])
  return readFileSync(join(work, name))
}
writeFileSync(join(work, 'frames.rgb'), cat(paint(64, 64, 3, 0), paint(64, 64, 3, 40), paint(64, 64, 3, 80)))
const frameInput = ['-f', 'rawvideo', '-pixel_format', 'rgb24', '-video_size', '64x64', '-framerate', '5', '-i', join(work, 'frames.rgb')]
put('avifs/turn.avifs', ffmpeg(frameInput, ['-pix_fmt', 'gbrp', '-c:v', 'libaom-av1', '-aom-params', 'lossless=1', '-f', 'avif'], 'turn.avif'))
{
  // No free encoder writes HEIC files, but one writes the pictures in them: the file around is made here.
  const mp4 = ffmpeg(frameInput, ['-frames:v', '1', '-pix_fmt', 'gray', '-c:v', 'libx265', '-x265-params', 'lossless=1:info=0:log-level=none', '-tag:v', 'hvc1', '-f', 'mp4'], 'still.mp4')
  const find = (type) => {
    const at = mp4.indexOf(type, 0, 'latin1') - 4
    return mp4.subarray(at, at + mp4.readUInt32BE(at))
  }
  const configuration = find('hvcC')
  const picture = find('mdat').subarray(8)
  const box = (type, ...parts) => {
    const body = cat(...parts)
    return cat(u32(body.length + 8), type, body)
  }
  const full = (type, version, ...parts) => box(type, Buffer.from([version, 0, 0, 0]), ...parts)
  const meta = (pictureAt) =>
    full('meta', 0,
      full('hdlr', 0, u32(0), 'pict', Buffer.alloc(12), '\0'),
      full('pitm', 0, u16(1)),
      full('iloc', 0, Buffer.from([0x44, 0]), u16(1), u16(1), u16(0), u16(1), u32(pictureAt), u32(picture.length)),
      full('iinf', 0, u16(1), full('infe', 2, u16(1), u16(0), 'hvc1', '\0')),
      box('iprp', box('ipco', configuration, full('ispe', 0, u32(64), u32(64)), box('irot', Buffer.from([1]))), full('ipma', 0, u32(1), u16(1), Buffer.from([3, 0x81, 2, 0x83]))),
    )
  const brands = box('ftyp', 'heic', u32(0), 'mif1heic')
  const pictureAt = brands.length + meta(0).length + 8
  put('heic/fields.heic', cat(brands, meta(pictureAt), box('mdat', picture)))
}

// JPEG: with place and orientation, and cut off.
put(
  'jpg-exif/photo.jpg',
  await raw(24, 16, 3)
    .jpeg({ quality: 60 })
    .withExif({
      IFD0: { Make: 'Quarry', Model: 'Q-1', Software: 'make.mjs', Artist: 'A. Stone', Copyright: 'public domain', ImageDescription: 'Four fields', DateTime: '2024:05:06 07:08:09', Orientation: '6' },
      IFD2: { DateTimeOriginal: '2024:05:06 07:08:09', OffsetTimeOriginal: '+02:00', ExposureTime: '1/125', FNumber: '28/10', ISOSpeedRatings: '200', FocalLength: '35/1' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 1200/100', GPSLongitudeRef: 'W', GPSLongitude: '13/1 24/1 1800/100', GPSAltitudeRef: '0', GPSAltitude: '345/10' },
    })
    .withMetadata({ orientation: 6, density: 300 })
    .toBuffer(),
)
const gray = sharp(Buffer.from(Array.from({ length: 64 * 64 }, (_, i) => ((i * 37 + (i >> 6) * 11) % 200))), { raw: { width: 64, height: 64, channels: 1 } })
put('jpg-cut-off/half.jpg', (await gray.jpeg({ quality: 90 }).toBuffer()).subarray(0, -30))

// SVG.
const svg = (body, more = '') => `<svg xmlns="http://www.w3.org/2000/svg" width="1024" height="16"${more}>${body}</svg>\n`
put('svg/bars.svg', Buffer.from(`<?xml version="1.0"?>\n<!-- bars -->\n${svg('<title>Bars</title><rect width="512" height="16" fill="#c02020"/><rect x="512" width="256" height="16" fill="#2020c0"/>')}`))
put('svg-outside/bars.svg', Buffer.from(svg('<rect width="512" height="16" fill="#c02020"/><image href="/etc/hostname.png" width="16" height="16"/><image href="https://example.com/a.png" width="16" height="16"/><image href="../png/flags.png" width="16" height="16"/>')))
put('svg-entities/laughs.svg', Buffer.from(`<!DOCTYPE svg [<!ENTITY a "ha">${[...'bcdefghijk'].map((name, i) => `<!ENTITY ${name} "${`&${'abcdefghij'[i]};`.repeat(12)}">`).join('')}]>${svg('<text>&k;</text>')}`))

// Letters to be read: on one page, and on two of a TIFF. Drawn with whatever sans-serif font is installed.
{
  const page = (...lines) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="220"><rect width="640" height="220" fill="#fff"/>${lines.map(([y, size, line]) => `<text x="24" y="${y}" font-family="Liberation Sans, sans-serif" font-size="${size}">${line}</text>`).join('')}</svg>`)
  const first = page([60, 40, 'Quarry report'], [120, 22, 'The stone was cut on Monday and'], [150, 22, 'carried to the river by noon.'])
  const second = page([60, 22, 'The second page speaks of marble.'])
  put('text/report.png', await sharp(first).greyscale().png({ palette: true, colours: 8 }).toBuffer())
  put('text-none/empty.png', await sharp(page()).greyscale().png({ palette: true, colours: 2 }).toBuffer())
  const pages = magick.MagickImageCollection.create()
  for (const svg of [first, second]) {
    const image = magick.MagickImage.create()
    image.read(await sharp(svg).threshold(140).png().toBuffer())
    image.settings.compression = magick.CompressionMethod.Group4
    pages.push(image)
  }
  put('text-tiff/pages.tif', pages.write('TIFF', (bytes) => Buffer.from(bytes)))
}

// What must be refused.
put('png-pixel-bomb/bomb.png', cat(MARK, header(40_000, 40_000, 2), chunk('IDAT', rows(40_000, 2, [0, 0, 0])), chunk('IEND', Buffer.alloc(0))))
put('not-an-image/letter.png', Buffer.from('Dear Sir,\n\nthis is not a picture.\n'))
rmSync(work, { recursive: true })
