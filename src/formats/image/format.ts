import { defineFormat } from '../../core/catalog.ts'
import { packageEngine } from '../shared/engine-version.ts'
import { colors } from './colors.ts'
import { frames } from './frames.ts'
import { markdown } from './markdown.ts'
import { metadata } from './metadata.ts'
import { preview } from './preview.ts'
import { FRAME_BILLED, SIZE_BILLED } from './prices.ts'
import { probe } from './probe.ts'
import { text } from './text.ts'

export default defineFormat({
  name: 'image',
  category: 'image',
  pool: 'image',
  extensions: [...FRAME_BILLED, ...SIZE_BILLED],
  mimeTypes: {
    avif: ['image/avif'],
    avifs: ['image/avif-sequence'],
    gif: ['image/gif'],
    ico: ['image/x-icon', 'image/vnd.microsoft.icon'],
    png: ['image/png'],
    tif: ['image/tiff'],
    tiff: ['image/tiff'],
    webp: ['image/webp'],
    apng: ['image/apng'],
    bmp: ['image/bmp'],
    dib: ['image/bmp'],
    heic: ['image/heic'],
    heif: ['image/heif'],
    j2k: ['image/j2c'],
    jfif: ['image/jpeg'],
    jp2: ['image/jp2'],
    jpe: ['image/jpeg'],
    jpeg: ['image/jpeg'],
    jpg: ['image/jpeg'],
    jxl: ['image/jxl'],
    psd: ['image/vnd.adobe.photoshop'],
    svg: ['image/svg+xml'],
  },
  price: [
    { metric: 'megabytes', per: 5 },
    { metric: 'frames', per: 10, extensions: FRAME_BILLED },
  ],
  accepts: ['png', 'jpeg', 'gif', 'tiff', 'psd', 'jp2', 'jxl', 'isobmff', 'riff'],
  engines: ['sharp', '@imagemagick/magick-wasm'].map(packageEngine),
  probe,
  capabilities: [metadata, frames, preview, colors, text, markdown],
})
