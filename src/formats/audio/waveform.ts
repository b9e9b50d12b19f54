import { defineCapability } from '../../core/catalog.ts'
import { FFMPEG } from '../../engines/ffmpeg.ts'
import { FFPROBE } from '../../engines/ffprobe.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { drawWaveform } from './draw-waveform.ts'
import { listen } from './listen.ts'
import { type PeakPoint, reducePeaks } from './peaks.ts'
import { readSound } from './read-sound.ts'
import { round } from './round.ts'

const DIGITS = 4

/** The shape of the sound, as a picture and as numbers. */
export const waveform = defineCapability({
  id: 'audio.waveform',
  output: 'images',
  defaultSelected: true,
  detail: 'A PNG picture of the waveform, and JSON with the least, the greatest and the mean level of each point.',
  options: {
    width: { type: 'integer', min: 16, max: 8_192, defaultValue: 1_600, detail: 'Width of the picture in pixels.' },
    height: { type: 'integer', min: 16, max: 2_048, defaultValue: 256, detail: 'Height of the picture in pixels.' },
    points: { type: 'integer', min: 1, max: 20_000, defaultValue: 2_000, detail: 'Points in the JSON, at most.' },
  },
  tools: [FFMPEG, FFPROBE],
  async *extract(source, { width, height, points }, context) {
    const { track } = await readSound(source, context)
    const heard = await listen(source, { peaks: true }, context)
    if (!heard?.peaks) return context.warn('audio.undecodable', `The sound (${track.codec}) could not be decoded.`)
    yield {
      path: artifactPath(source, 'images', 'waveform.png'),
      mediaType: 'image/png',
      data: await drawWaveform(reducePeaks(heard.peaks, width), { width, height }),
    }
    const listed = reducePeaks(heard.peaks, points)
    yield {
      path: artifactPath(source, 'metadata', 'waveform.json'),
      mediaType: 'application/json',
      data: `${JSON.stringify({
        durationSeconds: round(heard.seconds, 6),
        sampleRate: track.sampleRate,
        channels: track.channels,
        points: listed.length,
        secondsPerPoint: round(heard.seconds / listed.length, 6),
        ...toColumns(listed),
      })}\n`,
    }
  },
})

/** Three rows of numbers, in parts of full scale, are a third of the size of a list of points. */
const toColumns = (points: readonly PeakPoint[]): object => ({
  min: points.map(({ min }) => round(min, DIGITS)),
  max: points.map(({ max }) => round(max, DIGITS)),
  rms: points.map(({ rms }) => round(rms, DIGITS)),
})
