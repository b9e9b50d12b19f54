import { readFile } from 'node:fs/promises'
import { defineCapability, defineFormat, type Source } from '../../../src/core/catalog.ts'
import { JobFailure } from '../../../src/core/errors.ts'

/** A `.flipbook` is text, a frame to a paragraph. */
const readFrames = async (source: Source): Promise<string[]> => {
  const frames = (await readFile(source.path, 'utf8')).split(/\n{2,}/).filter((frame) => frame.trim() !== '')
  if (frames.length === 0) throw new JobFailure('extract.source_unreadable')
  return frames
}

const frames = defineCapability({
  id: 'flipbook.frames',
  output: 'frames',
  defaultSelected: true,
  options: {},
  async *extract(source) {
    for (const [index, frame] of (await readFrames(source)).entries()) {
      const path = `frames/frame-${String(index + 1).padStart(3, '0')}.txt`
      yield {
        path,
        mediaType: 'text/plain; charset=utf-8',
        data: `${frame}\n`,
        provenance: { part: `frame ${index + 1}` },
      }
    }
  },
})

/** An image family for tests, priced by frames alone. */
export default defineFormat({
  name: 'flipbook',
  category: 'image',
  pool: 'image',
  extensions: ['flipbook'],
  mimeTypes: { flipbook: ['image/x-flipbook'] },
  price: [{ metric: 'frames', per: 10 }],
  accepts: [],
  engines: [{ name: 'flipbook', version: '1.0.0' }],
  probe: async (source) => ({ frames: (await readFrames(source)).length }),
  capabilities: [frames],
})
