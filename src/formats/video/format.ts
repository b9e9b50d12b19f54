import { defineFormat } from '../../core/catalog.ts'
import { FFPROBE } from '../../engines/ffprobe.ts'
import { packageEngine } from '../shared/engine-version.ts'
import { probe } from '../shared/media/probe.ts'
import { transcriptCapability, transcription } from '../shared/media/transcript.ts'
import { audio } from './audio.ts'
import { chapters } from './chapters.ts'
import { frames } from './frames.ts'
import { metadata } from './metadata.ts'
import { preview } from './preview.ts'
import { subtitles } from './subtitles.ts'
import { listWrittenFrames } from './written-frames.ts'

export default defineFormat({
  name: 'video',
  category: 'video',
  pool: 'video',
  extensions: [
    ...['mp4', 'mov', 'm4v', 'mkv', 'webm', 'avi', 'wmv', 'asf', 'flv', 'mpg', 'mpeg', 'ts', 'm2ts', 'mts'],
    ...['3gp', '3g2', 'ogv', 'mxf', 'vob'],
  ],
  mimeTypes: {
    mp4: ['video/mp4'],
    mov: ['video/quicktime'],
    m4v: ['video/x-m4v'],
    mkv: ['video/x-matroska'],
    webm: ['video/webm'],
    avi: ['video/x-msvideo'],
    wmv: ['video/x-ms-wmv'],
    asf: ['video/x-ms-asf'],
    flv: ['video/x-flv'],
    mpg: ['video/mpeg'],
    mpeg: ['video/mpeg'],
    ts: ['video/mp2t'],
    m2ts: ['video/mp2t'],
    mts: ['video/mp2t'],
    '3gp': ['video/3gpp'],
    '3g2': ['video/3gpp2'],
    ogv: ['video/ogg'],
    mxf: ['application/mxf'],
    vob: ['video/mpeg'],
  },
  price: [
    { metric: 'megabytes', per: 50 },
    { metric: 'minutes', per: 5 },
  ],
  accepts: ['isobmff', 'matroska', 'riff', 'ogg', 'asf'],
  engines: [packageEngine('sharp')],
  tools: [FFPROBE],
  probe,
  // After the frames: the transcript shows them beside what is said.
  capabilities: [audio, frames, metadata, subtitles, chapters, preview, transcriptCapability(listWrittenFrames)],
  transcription,
})
