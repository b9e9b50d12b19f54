import { type Context, defineCapability, type Source } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { decodeText, readLines } from '../shared/decode.ts'
import { type EncodingReport, encodingOption, findEncoding } from '../shared/encoding.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { makeTextCounter, type TextCounts } from './count-text.ts'
import { kindOf, languageOf } from './languages.ts'
import { convertDocument, MAX_DOCUMENT_BYTES, MAX_LINE_CHARACTERS } from './markdown.ts'
import { makeOutline, type Outline } from './outline.ts'
import { cueText, readCues, speakerOf } from './subtitles.ts'

const MAX_SPEAKERS = 200
const MAX_OUTLINE_LINE_CHARACTERS = 8_192

/** Encoding, counts, language of code, headings, cues: what the file says about itself. */
export const metadata = defineCapability({
  id: 'text.metadata',
  output: 'metadata',
  defaultSelected: true,
  detail: 'JSON: encoding, line ends, counts, language of code, title and headings, cues of subtitles.',
  options: { encoding: encodingOption },
  async *extract(source, options, context) {
    const encoding = await findEncoding(source, context, options.encoding)
    const kind = kindOf(source.extension)
    const { counts, firstLine } = await countSource(source, context, encoding)
    const { newlines, ...totals } = counts
    yield {
      path: artifactPath(source, 'metadata', 'json'),
      mediaType: 'application/json',
      data: writeJsonFile({
        kind,
        bytes: source.bytes,
        encoding: describeEncoding(encoding),
        newlines: { style: newlineStyle(newlines), ...newlines },
        ...totals,
        ...(kind === 'code' ? { code: languageOf(source.extension, firstLine) } : {}),
        ...(kind === 'subtitles' ? { subtitles: await describeCues(source, context, encoding) } : {}),
        ...(await describeOutline(source, context, encoding)),
      }),
    }
  },
})

/** The part of an encoding report that a client reads. */
const describeEncoding = ({ name, foundBy, confidence, byteOrderMark, damaged }: EncodingReport) => ({
  name,
  foundBy,
  confidence,
  byteOrderMark,
  ...(damaged ? { damaged } : {}),
})

const countSource = async (
  source: Source,
  context: Context,
  encoding: EncodingReport,
): Promise<{ counts: TextCounts; firstLine: string }> => {
  const counter = makeTextCounter()
  let firstLine: string | undefined
  for await (const chunk of decodeText(source, context, encoding, [0.2, 0.7])) {
    firstLine ??= chunk.slice(0, 300).split(/[\r\n]/, 1)[0]
    counter.add(chunk)
  }
  return { counts: counter.finish(), firstLine: firstLine ?? '' }
}

const newlineStyle = (newlines: TextCounts['newlines']): string => {
  const used = Object.entries(newlines).filter(([, count]) => count > 0)
  return used.length === 0 ? 'none' : used.length > 1 ? 'mixed' : (used[0]?.[0] ?? 'none')
}

const describeOutline = async (
  source: Source,
  context: Context,
  encoding: EncodingReport,
): Promise<Partial<Outline>> => {
  const kind = kindOf(source.extension)
  const isMarkup = kind === 'restructuredtext' || kind === 'org' || kind === 'latex'
  if (kind !== 'markdown' && !(isMarkup && source.bytes <= MAX_DOCUMENT_BYTES)) return {}
  const outline = makeOutline()
  const chunks = isMarkup ? convertDocument(source, context, encoding) : decodeText(source, context, encoding, [0.7, 1])
  // Of a line without end, such as an inlined image, only the beginning can be a heading.
  for await (const line of readLines(chunks, MAX_OUTLINE_LINE_CHARACTERS, 'cut')) outline.add(line)
  return await outline.finish()
}

const describeCues = async (source: Source, context: Context, encoding: EncodingReport) => {
  const speakers = new Set<string>()
  let cues = 0
  let startSeconds = Number.POSITIVE_INFINITY
  let endSeconds = 0
  let textCharacters = 0
  for await (const cue of readCues(readLines(decodeText(source, context, encoding, [0.7, 1]), MAX_LINE_CHARACTERS))) {
    cues++
    startSeconds = Math.min(startSeconds, cue.startSeconds)
    endSeconds = Math.max(endSeconds, cue.endSeconds)
    textCharacters += cueText(cue).length
    const speaker = speakerOf(cue)
    if (speaker && speakers.size < MAX_SPEAKERS) speakers.add(speaker)
  }
  if (cues === 0) return { cues, speakers: [] }
  return { cues, startSeconds, endSeconds, durationSeconds: endSeconds, textCharacters, speakers: [...speakers] }
}
