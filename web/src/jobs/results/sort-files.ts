import type { OutputFile } from '../../../../src/jobs/records.ts'

/** What a file of a result can be looked at as. */
export type FileKind =
  | 'markdown'
  | 'text'
  | 'table'
  | 'data'
  | 'image'
  | 'sound'
  | 'film'
  | 'cues'
  | 'page'
  | 'document'
  | 'other'

const KINDS: Readonly<Record<Exclude<FileKind, 'other'>, string>> = {
  markdown: 'md markdown',
  text: 'txt log text eml ics vcf asc css js ts py sh c h cpp java rs go rb php sql tex rst org ini conf cfg toml yaml yml xml properties mf',
  table: 'csv tsv',
  data: 'json jsonl ndjson geojson',
  image: 'png jpg jpeg gif webp avif svg bmp ico apng jfif',
  sound: 'mp3 wav m4a m4b ogg oga opus flac aac weba',
  film: 'mp4 webm m4v',
  cues: 'vtt srt',
  page: 'html htm xhtml hocr',
  document: 'pdf docx epub xlsx pptx',
}
const BY_EXTENSION = new Map(
  Object.entries(KINDS).flatMap(([kind, extensions]) => extensions.split(' ').map((one) => [one, kind as FileKind])),
)

/** The last part of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The ending of a path, in lower case, without the dot. */
export const extensionOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''

export const kindOf = (path: string): FileKind => BY_EXTENSION.get(extensionOf(path)) ?? 'other'

export type ViewId =
  | 'meeting'
  | 'transcript'
  | 'sound'
  | 'document'
  | 'text'
  | 'tables'
  | 'images'
  | 'frames'
  | 'film'
  | 'subtitles'
  | 'pages'
  | 'data'
  | 'files'
  | 'details'
export type View = { id: ViewId; files: readonly OutputFile[] }

const ORDER: readonly ViewId[] = [
  ...(['meeting', 'transcript', 'document', 'text', 'tables', 'images', 'frames', 'sound', 'film'] as const),
  ...(['subtitles', 'pages', 'data', 'files', 'details'] as const),
]
/** What tells most about a source comes first, where that is not its text. */
const FIRST: Readonly<Record<string, readonly ViewId[]>> = {
  spreadsheet: ['tables'],
  data: ['tables'],
  image: ['text', 'images', 'frames'],
  audio: ['meeting', 'transcript', 'sound'],
  video: ['meeting', 'transcript', 'frames', 'sound'],
  archive: ['files'],
}

export const MEETING_ANALYSIS = 'analysis/meeting-analysis.json'
export const MANIFEST = 'manifest.json'
const TRANSCRIPTS = ['transcript.vtt', 'transcript.json', 'transcript.srt', 'transcript.txt']

/** The file that tells best what was said and when, if there is one. */
export const findTranscript = (files: readonly OutputFile[]): OutputFile | undefined =>
  TRANSCRIPTS.map((path) => files.find((file) => file.path === path)).find((file) => file !== undefined)

export const findWaveform = (files: readonly OutputFile[]): OutputFile | undefined =>
  files.find(({ path, capabilityId }) => capabilityId === 'audio.waveform' && path.endsWith('.json'))

/** The views that a result has something for, the most telling first. */
export const sortFiles = (files: readonly OutputFile[], category: string): View[] => {
  const hasTranscript = findTranscript(files) !== undefined
  const hasWaveform = findWaveform(files) !== undefined
  const hasFrames = files.some(({ path }) => path.startsWith('frames/'))
  const byView = new Map<ViewId, OutputFile[]>()
  for (const file of files) {
    const view = viewOf(file, { hasTranscript, hasWaveform, hasFrames })
    if (view === undefined) continue
    const own = byView.get(view) ?? []
    own.push(file)
    byView.set(view, own)
  }
  byView.set('files', [...files])
  const first = FIRST[category] ?? []
  return [...first, ...ORDER.filter((id) => !first.includes(id))].flatMap((id) => {
    const own = byView.get(id)
    return own ? [{ id, files: own }] : []
  })
}

type Traits = { hasTranscript: boolean; hasWaveform: boolean; hasFrames: boolean }

const viewOf = ({ path, capabilityId }: OutputFile, traits: Traits): ViewId | undefined => {
  if (path === MANIFEST) return 'details'
  if (path === MEETING_ANALYSIS) return 'meeting'
  if (/^transcript\.[a-z]+$/.test(path)) {
    // With pictures of the film between what is said, it is more than the transcript.
    return path === 'transcript.md' && traits.hasFrames ? 'document' : 'transcript'
  }
  if (path === 'analysis/meeting-analysis.md') return undefined
  if (capabilityId === 'audio.waveform' && traits.hasWaveform) return path.endsWith('.json') ? 'data' : undefined
  switch (kindOf(path)) {
    case 'markdown':
      return 'document'
    case 'text':
      return 'text'
    case 'table':
      return 'tables'
    case 'image':
      return path.startsWith('frames/') ? 'frames' : 'images'
    case 'sound':
      return traits.hasTranscript && path.startsWith('audio/') ? 'transcript' : 'sound'
    case 'film':
      return 'film'
    case 'cues':
      return 'subtitles'
    case 'page':
      return 'pages'
    case 'data':
      return 'data'
    default:
      return undefined
  }
}
