import { defineFormat } from '../../core/catalog.ts'
import { packageEngine } from '../shared/engine-version.ts'
import { transcript, transcription } from '../shared/media/transcript.ts'
import { convert } from './convert.ts'
import { cover } from './cover.ts'
import { metadata } from './metadata.ts'
import { probe } from './probe.ts'
import { segments } from './segments.ts'
import { waveform } from './waveform.ts'

export default defineFormat({
  name: 'audio',
  category: 'audio',
  pool: 'audio',
  extensions: [
    ...['mp3', 'wav', 'm4a', 'm4b', 'aac', 'flac', 'ogg', 'oga', 'opus', 'spx', 'wma', 'aiff', 'aif', 'aifc', 'amr'],
    ...['ac3', 'eac3', 'ec3', 'dts', 'caf', 'mka', 'wv', 'ape', 'au', 'snd', 'mp2', 'tta', 'w64', 'rf64', 'bwf'],
  ],
  mimeTypes: {
    mp3: ['audio/mpeg'],
    wav: ['audio/wav', 'audio/x-wav', 'audio/vnd.wave'],
    m4a: ['audio/mp4', 'audio/x-m4a'],
    m4b: ['audio/mp4'],
    aac: ['audio/aac'],
    flac: ['audio/flac', 'audio/x-flac'],
    ogg: ['audio/ogg'],
    oga: ['audio/ogg'],
    opus: ['audio/opus', 'audio/ogg'],
    spx: ['audio/ogg', 'audio/x-speex'],
    wma: ['audio/x-ms-wma'],
    aiff: ['audio/aiff', 'audio/x-aiff'],
    aif: ['audio/aiff', 'audio/x-aiff'],
    aifc: ['audio/aiff', 'audio/x-aiff'],
    amr: ['audio/amr', 'audio/amr-wb'],
    ac3: ['audio/ac3'],
    eac3: ['audio/eac3'],
    ec3: ['audio/eac3'],
    dts: ['audio/vnd.dts'],
    caf: ['audio/x-caf'],
    mka: ['audio/x-matroska'],
    wv: ['audio/x-wavpack'],
    ape: ['audio/x-ape', 'audio/ape'],
    au: ['audio/basic'],
    snd: ['audio/basic'],
    mp2: ['audio/mpeg'],
    tta: ['audio/x-tta'],
    w64: ['audio/x-w64'],
    rf64: ['audio/x-rf64'],
    bwf: ['audio/wav'],
  },
  price: [
    { metric: 'megabytes', per: 25 },
    { metric: 'minutes', per: 10 },
  ],
  accepts: [
    ...(['isobmff', 'matroska', 'riff', 'ogg', 'flac', 'asf', 'id3', 'aiff', 'rf64', 'w64', 'amr', 'caf'] as const),
    ...(['au', 'ape', 'wavpack', 'tta'] as const),
  ],
  engines: ['music-metadata', 'sharp'].map(packageEngine),
  probe,
  // Metadata is before what else listens to the sound: it asks for the most, and one pass serves all.
  capabilities: [convert, metadata, cover, waveform, segments, transcript],
  transcription,
})
