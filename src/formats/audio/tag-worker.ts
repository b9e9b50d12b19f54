import { parentPort, workerData } from 'node:worker_threads'
import type { IAudioMetadata } from 'music-metadata'
import { parseFile } from 'music-metadata'
import type { FoundTags, Picture } from './tags.ts'

const MAX_PICTURES = 100
const MAX_PICTURE_BYTES = 64 * 1_048_576

/** Copies what was found into plain values that can be sent: the reader's own are full of buffers and classes. */
const collect = ({ common, native, format }: IAudioMetadata): FoundTags => {
  const { picture = [], ...rest } = common
  const ofChapters = (format.chapters ?? []).flatMap(({ image, title }) => (image ? [{ ...image, title }] : []))
  return {
    common: rest,
    native,
    pictures: [...picture.map((image) => toPicture(image)), ...ofChapters.map((image) => toPicture(image, image.title))]
      .filter(({ data }) => data.length > 0 && data.length <= MAX_PICTURE_BYTES)
      .slice(0, MAX_PICTURES),
    ...(format.tool === undefined ? {} : { tool: format.tool }),
    ...(format.trackGain === undefined ? {} : { trackGainDb: format.trackGain }),
    ...(format.albumGain === undefined ? {} : { albumGainDb: format.albumGain }),
    ...(format.trackPeakLevel ? { trackPeak: format.trackPeakLevel } : {}),
  }
}

type Image = { format: string; data: Uint8Array; type?: string; description?: string }

const toPicture = ({ format, data, type, description = '' }: Image, chapter?: string): Picture => ({
  data,
  mediaType: format,
  // APE tags say what a picture shows by the name of the tag: `Cover Art (Front)`.
  kind:
    chapter === undefined ? (type ?? description.replace(/^Cover Art (\(\w+\)).*$/, 'Cover $1')) || 'Other' : 'Chapter',
  ...(chapter || description ? { description: chapter || description } : {}),
})

// What was read before the reader gave up is worth having.
let sofar: IAudioMetadata | undefined
const observer = ({ metadata }: { metadata: IAudioMetadata }) => {
  sofar = metadata
}
const { path } = workerData as { path: string }
try {
  parentPort?.postMessage(collect(await parseFile(path, { includeChapters: true, mkvUseIndex: true, observer })))
} catch (error) {
  const found = sofar ? collect(sofar) : { common: {}, native: {}, pictures: [] }
  parentPort?.postMessage({ ...found, problem: (error as Error).message })
}
