import { closeSync, mkdirSync, mkdtempSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Artifact, Context, Source } from '../../core/catalog.ts'
import { JobFailure } from '../../core/errors.ts'
import { overLimit } from '../shared/decode.ts'
import type { TextWay } from './find-family.ts'
import type { FoundFile } from './walk-members.ts'

/** One piece of text of a member, in the scratch folder. */
export type MemberText = { file: string; bytes: number; mediaType: string }
export type MemberOutcome = { texts: MemberText[]; warnings: string[]; failure?: { code: string; detail: string } }

/** More than this is no text that anybody reads. */
const MAX_TEXT_BYTES = 64 * 1_048_576
const MAX_TEXTS = 1_000
const MAX_WARNINGS = 20

/** Runs the text capability of a member's own family on it. Whatever goes wrong is the member's own outcome. */
export const readMemberText = async (
  { name, path, bytes }: FoundFile,
  { extension, capability, values }: TextWay,
  folder: string,
  context: Context,
): Promise<MemberOutcome> => {
  const scratch = mkdtempSync(join(folder, 'work-'))
  const own = join(scratch, `source.${extension}`)
  const outcome: MemberOutcome = { texts: [], warnings: [] }
  const inner: Context = {
    signal: context.signal,
    selected: new Set([capability.id]),
    scratch: join(scratch, 'scratch'),
    progress: () => context.progress(0),
    warn: (code) => {
      if (outcome.warnings.length < MAX_WARNINGS && !outcome.warnings.includes(code)) outcome.warnings.push(code)
    },
  }
  try {
    mkdirSync(inner.scratch)
    // By the name that a source of this kind always has: engines go by it.
    renameSync(path, own)
    const base = name.split('/').at(-1) ?? ''
    const source: Source = { path: own, name: base, extension, bytes }
    for await (const artifact of capability.extract(source, values as never, inner)) {
      if (outcome.texts.length >= MAX_TEXTS) break
      const text = await keep(artifact, join(folder, `text-${outcome.texts.length}`), context)
      if (text.bytes > 0) outcome.texts.push(text)
    }
  } catch (error) {
    context.signal.throwIfAborted()
    const failure = error instanceof JobFailure ? error : new JobFailure('extract.engine_failed', {}, { cause: error })
    outcome.failure = { code: failure.code, detail: failure.detail }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  return outcome
}

/** Written out at once: what fails later must not fail in the hands of the writer of the result. */
const keep = async (artifact: Artifact, file: string, context: Context): Promise<MemberText> => {
  const { mediaType } = artifact
  if ('file' in artifact) {
    renameSync(artifact.file, file)
    return { file, bytes: statSync(file).size, mediaType }
  }
  const { data } = artifact
  const descriptor = openSync(file, 'w', 0o600)
  let bytes = 0
  const put = (piece: string | Uint8Array) => {
    const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece
    bytes += chunk.byteLength
    if (bytes > MAX_TEXT_BYTES) throw overLimit('textBytes', MAX_TEXT_BYTES)
    for (let at = 0; at < chunk.byteLength; ) at += writeSync(descriptor, chunk, at)
    context.progress(0)
  }
  try {
    if (typeof data === 'string' || data instanceof Uint8Array) put(data)
    else for await (const piece of data) put(piece)
  } finally {
    closeSync(descriptor)
  }
  return { file, bytes, mediaType }
}
