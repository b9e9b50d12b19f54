import { type Context, defineCapability, type Source } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { decodeText, normalizeNewlines, readLines, readWholeText } from '../shared/decode.ts'
import { type EncodingReport, encodingOption, findEncoding } from '../shared/encoding.ts'
import { readPlainText } from '../shared/plain-text.ts'
import { makePause } from '../shared/read-chunks.ts'
import { kindOf, languageOf } from './languages.ts'
import { cueMarkdown, readCues, speakerOf, writeTime } from './subtitles.ts'

/** Marked-up documents are held in memory to be converted; a larger one is given as code. */
export const MAX_DOCUMENT_BYTES = 4 * 1_048_576
export const MAX_LINE_CHARACTERS = 16 * 1_048_576

/** The file as Markdown, by what it is: document markup converted, code fenced, captions as paragraphs. */
export const markdown = defineCapability({
  id: 'text.markdown',
  output: 'markdown',
  defaultSelected: true,
  detail: 'Markdown: documents converted, source code fenced with its language, subtitles as paragraphs.',
  options: {
    encoding: encodingOption,
    timestamps: { type: 'boolean', defaultValue: false, detail: 'Subtitles: put the start time before each cue.' },
    speakers: { type: 'boolean', defaultValue: false, detail: 'Subtitles: name the speaker where the voice changes.' },
  },
  async *extract(source, options, context) {
    const encoding = await findEncoding(source, context, options.encoding)
    yield {
      path: artifactPath(source, 'markdown', 'md'),
      mediaType: 'text/markdown; charset=utf-8',
      data: writeMarkdown(source, context, encoding, options),
    }
  },
})

const writeMarkdown = (
  source: Source,
  context: Context,
  encoding: EncodingReport,
  options: { timestamps: boolean; speakers: boolean },
): AsyncIterable<string | Uint8Array> => {
  switch (kindOf(source.extension)) {
    case 'plain':
    case 'markdown':
      return readPlainText(source, context, encoding)
    case 'log':
    case 'code':
      return fenceCode(source, context, encoding)
    case 'subtitles':
      return writeCues(source, context, encoding, options)
    default:
      if (source.bytes > MAX_DOCUMENT_BYTES) {
        context.warn('text.not_converted', `Documents over ${MAX_DOCUMENT_BYTES} bytes are given as they are.`)
        return fenceCode(source, context, encoding)
      }
      return convertDocument(source, context, encoding)
  }
}

/** Two passes: the fence has to be longer than any run of its character in the file. */
async function* fenceCode(source: Source, context: Context, encoding: EncodingReport): AsyncGenerator<string> {
  const backticks = makeRunCounter('`')
  const tildes = makeRunCounter('~')
  let firstLine: string | undefined
  for await (const chunk of decodeText(source, context, encoding, [0.2, 0.5])) {
    firstLine ??= chunk.slice(0, 300).split(/[\r\n]/, 1)[0] ?? ''
    backticks.add(chunk)
    tildes.add(chunk)
  }
  const shorter = backticks.longest() <= tildes.longest() + 2 ? backticks : tildes
  const fence = shorter.character.repeat(Math.max(3, Math.min(shorter.longest() + 1, MAX_FENCE_CHARACTERS)))
  yield `${fence}${languageOf(source.extension, firstLine ?? '').language ?? ''}\n`
  let endsInNewline = true
  for await (const chunk of normalizeNewlines(decodeText(source, context, encoding, [0.5, 1]))) {
    endsInNewline = chunk.endsWith('\n')
    yield chunk
  }
  yield `${endsInNewline ? '' : '\n'}${fence}\n`
}

const MAX_FENCE_CHARACTERS = 1_000

/** The longest run of one character, also across pieces. */
const makeRunCounter = (character: string) => {
  let longest = 0
  let open = 0
  const add = (piece: string) => {
    let at = 0
    if (open > 0) {
      while (piece[at] === character) at++
      longest = Math.max(longest, open + at)
      if (at === piece.length) {
        open += at
        return
      }
      open = 0
    }
    for (let start = piece.indexOf(character, at); start >= 0; start = piece.indexOf(character, at)) {
      at = start + 1
      while (piece[at] === character) at++
      longest = Math.max(longest, at - start)
      if (at === piece.length) open = at - start
    }
  }
  return { character, add, longest: () => longest }
}

async function* writeCues(
  source: Source,
  context: Context,
  encoding: EncodingReport,
  options: { timestamps: boolean; speakers: boolean },
): AsyncGenerator<string> {
  let lastSpeaker: string | undefined
  let first = true
  for await (const cue of readCues(readLines(decodeText(source, context, encoding), MAX_LINE_CHARACTERS))) {
    const text = cueMarkdown(cue)
    if (text === '') continue
    const speaker = speakerOf(cue)
    const time = options.timestamps ? `[${writeTime(cue.startSeconds)}] ` : ''
    const name = options.speakers && speaker && speaker !== lastSpeaker ? `**${speaker}:** ` : ''
    lastSpeaker = speaker ?? lastSpeaker
    yield `${first ? '' : '\n'}${time}${name}${text}\n`
    first = false
  }
  if (first) context.warn('text.no_cues', 'The subtitle file holds no cue.')
}

/** Blocks of a marked-up document, a blank line between them. */
export async function* convertDocument(
  source: Source,
  context: Context,
  encoding: EncodingReport,
): AsyncGenerator<string> {
  const text = await readWholeText(source, context, encoding, MAX_DOCUMENT_BYTES, [0.2, 0.4])
  const convert = await loadConverter(source.extension)
  const pause = makePause(context)
  let first = true
  for (const block of convert(text)) {
    await pause()
    const trimmed = block.replace(/^\n+|\s+$/g, '')
    if (trimmed === '') continue
    yield `${first ? '' : '\n'}${trimmed}\n`
    first = false
  }
}

/** A generator of Markdown blocks, so that a long document never keeps the thread. */
export type Converter = (text: string) => Iterable<string>

const loadConverter = async (extension: string): Promise<Converter> => {
  switch (kindOf(extension)) {
    case 'restructuredtext':
      return (await import('./convert-rst.ts')).convertRst
    case 'org':
      return (await import('./convert-org.ts')).convertOrg
    default:
      return (await import('./convert-latex.ts')).convertLatex
  }
}
