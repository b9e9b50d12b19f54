import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { type ProgramResult, runProgram } from './run-program.ts'

/** Where whisper.cpp and its model are; both are the operator's. */
export type WhisperCpp = { program: string; model: string }

/** A word, or a piece of text without spaces, with its times in the file. */
export type WhisperWord = { text: string; startSeconds: number; endSeconds: number }

const outputSchema = z.object({
  result: z.object({ language: z.string() }),
  transcription: z.array(z.object({ text: z.string(), offsets: z.object({ from: z.number(), to: z.number() }) })),
})

const MAX_SAID_BYTES = 64 * 1_048_576
/** Slower than the sound itself by so much, on a large model and a slow machine. */
const SLOWNESS = 20
const MIN_SECONDS = 300

/** Has whisper.cpp write down a WAV file of 16 kHz; one entry for each word. */
export const runWhisperCpp = async (
  { program, model }: WhisperCpp,
  audio: { path: string; durationSeconds: number; language: string },
  { signal, cwd }: { signal: AbortSignal; cwd: string },
): Promise<{ language: string; words: WhisperWord[] }> => {
  const output = `${audio.path}.out`
  const language = audio.language.split('-')[0] ?? 'auto'
  const result = await runProgram(
    program,
    [
      ...['-m', model, '-f', audio.path, '-l', language, '-t', String(availableParallelism())],
      ...['-ml', '1', '-sow', '-oj', '-of', output, '-np'],
    ],
    { signal, cwd, timeoutMs: (MIN_SECONDS + audio.durationSeconds * SLOWNESS) * 1000, maxOutputBytes: MAX_SAID_BYTES },
  )
  const said = await readOutput(`${output}.json`, result)
  return {
    language: said.result.language,
    words: said.transcription.flatMap(({ text, offsets }) =>
      text.trim() === ''
        ? []
        : [{ text: text.trim(), startSeconds: offsets.from / 1000, endSeconds: offsets.to / 1000 }],
    ),
  }
}

const readOutput = async (path: string, { code, stderr }: ProgramResult) => {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (code !== 0 || text === undefined) throw new Error(`whisper.cpp ended with ${code}: ${stderr}`)
  return outputSchema.parse(JSON.parse(text))
}
