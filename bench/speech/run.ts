import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isOnPath } from '../../src/engines/find-program.ts'
import type { Segment } from '../../src/transcripts/model.ts'
import { countErrors, rateDiarization, type Turn, toWords } from './score.ts'

const CORPUS = new URL('../../../shared/corpus/speech/', import.meta.url).pathname
const CLIPS = ['jfk', 'austen0870', 'austen0890', 'austen0930', 'two_cities', 'vosk_test']
const BYTES_PER_SECOND = 32_000
const HOUR_SECONDS = 3_600
const PAUSE_SECONDS = 0.8

const run_ = promisify(execFile)

type Figures = { cpuSeconds: number; wallSeconds: number; peakMb: number; durationSeconds: number }
type Made = Figures & { segments: Segment[] }

/** Word errors, CPU time and memory of both built-in models on clips and on an hour; pocketsphinx beside them; speakers. */
export const run = async (): Promise<void> => {
  if (!existsSync(CORPUS)) return console.log('no recordings here')
  const folder = await mkdtemp(join(tmpdir(), 'bench-speech-'))
  try {
    const truth = JSON.parse(readFileSync(join(CORPUS, 'truth.json'), 'utf8')) as Record<string, string>
    const report: Record<string, unknown> = { cores: cpus().length, node: process.versions.node }
    for (const size of ['tiny', 'base']) {
      report[size] = { clips: await readClips(size, truth, folder), hour: await readHour(size, truth, folder) }
      console.log(size, JSON.stringify(report[size]))
    }
    report.speakers = await tellSpeakers(folder)
    console.log('speakers', JSON.stringify(report.speakers))
    report.pocketsphinx = await readByPocketsphinx(truth)
    console.log('pocketsphinx', JSON.stringify(report.pocketsphinx))
    await writeFile(new URL('report.json', import.meta.url), `${JSON.stringify(report, null, 2)}\n`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The samples of a clip, without the head of its file. */
const samplesOf = (clip: string): Buffer => {
  const file = readFileSync(join(CORPUS, `${clip}.wav`))
  const data = file.indexOf('data', 12, 'latin1')
  return file.subarray(data + 8, data + 8 + Math.min(file.readUInt32LE(data + 4), file.length - data - 8))
}

const transcribe = async (size: string, sound: Buffer, folder: string, voices = ''): Promise<Made> => {
  const path = join(folder, 'sound.raw')
  await writeFile(path, sound)
  const script = new URL('transcribe-one.ts', import.meta.url).pathname
  const { stdout } = await run_(process.execPath, [script, size, path, voices], { maxBuffer: 1e9 })
  return JSON.parse(stdout) as Made
}

const textOf = (segments: readonly Segment[]): string => segments.map(({ text }) => text).join(' ')
const round = (value: number): number => Math.round(value * 10_000) / 10_000

/** All clips in one process each; the CPU time of loading the model is counted. */
const readClips = async (size: string, truth: Readonly<Record<string, string>>, folder: string) => {
  let [errors, words] = [0, 0]
  const heard: Record<string, string> = {}
  for (const clip of CLIPS) {
    const { segments } = await transcribe(size, samplesOf(clip), folder)
    const reference = toWords(truth[clip] ?? '')
    const count = countErrors(reference, toWords(textOf(segments)))
    if (count > 0) heard[clip] = textOf(segments)
    errors += count
    words += reference.length
  }
  return { wordErrorRate: round(errors / words), errors, words, wrong: heard }
}

/** The clips over and over, with pauses, until an hour is full. */
const readHour = async (size: string, truth: Readonly<Record<string, string>>, folder: string) => {
  const pause = Buffer.alloc(PAUSE_SECONDS * BYTES_PER_SECOND)
  const parts: Buffer[] = []
  const reference: string[] = []
  for (let bytes = 0, index = 0; bytes < HOUR_SECONDS * BYTES_PER_SECOND; index += 1) {
    const clip = CLIPS[index % CLIPS.length] as string
    parts.push(samplesOf(clip), pause)
    reference.push(...toWords(truth[clip] ?? ''))
    bytes = parts.reduce((sum, part) => sum + part.length, 0)
  }
  const { segments, ...figures } = await transcribe(size, Buffer.concat(parts), folder)
  const heard = toWords(textOf(segments))
  return {
    wordErrorRate: round(countErrors(reference, heard) / reference.length),
    cpuPerSecond: round(figures.cpuSeconds / figures.durationSeconds),
    timesFasterThanRealTime: round(figures.durationSeconds / figures.wallSeconds),
    peakMb: Math.round(figures.peakMb),
  }
}

/** Clips of four speakers, cut and mixed; who spoke is known because we joined them. */
const tellSpeakers = async (folder: string) => {
  const plan: [string, string, number, number][] = [
    ...([
      ['austen0870', 'reader', 0, 99],
      ['jfk', 'president', 0, 99],
      ['two_cities', 'narrator', 0, 13],
    ] as const),
    ...([
      ['austen0890', 'reader', 0, 99],
      ['vosk_test', 'caller', 0, 99],
      ['two_cities', 'narrator', 13, 25],
    ] as const),
    ...([
      ['austen0930', 'reader', 0, 99],
      ['jfk', 'president', 0, 99],
      ['vosk_test', 'caller', 0, 99],
    ] as const),
    ...([
      ['austen0870', 'reader', 0, 99],
      ['two_cities', 'narrator', 25, 44],
    ] as const),
  ].map((part) => [...part])
  const pause = Buffer.alloc(0.4 * BYTES_PER_SECOND)
  const parts: Buffer[] = []
  const joined: Turn[] = []
  let seconds = 0
  for (const [clip, speaker, from, to] of plan) {
    const samples = samplesOf(clip)
    const part = samples.subarray(from * BYTES_PER_SECOND, Math.min(samples.length & ~1, to * BYTES_PER_SECOND))
    joined.push({ startSeconds: seconds, endSeconds: seconds + part.length / BYTES_PER_SECOND, speaker })
    parts.push(part, pause)
    seconds += (part.length + pause.length) / BYTES_PER_SECOND
  }
  const { segments, cpuSeconds, durationSeconds } = await transcribe('base', Buffer.concat(parts), folder, 'voices')
  const found = segments.flatMap(({ words, speaker }) =>
    words.map(({ startSeconds, endSeconds }) => ({ startSeconds, endSeconds, speaker: speaker ?? '' })),
  )
  // Silence inside the clips belongs to nobody: real speech is where words are.
  const truth = found.flatMap((word) => {
    const middle = (word.startSeconds + word.endSeconds) / 2
    const turn = joined.find(({ startSeconds, endSeconds }) => middle >= startSeconds && middle < endSeconds + 0.4)
    return turn ? [{ ...word, speaker: turn.speaker }] : []
  })
  const turns = mergeTurns(truth)
  return {
    diarizationErrorRate: round(rateDiarization(turns, mergeTurns(found))),
    speakers: new Set(joined.map(({ speaker }) => speaker)).size,
    found: new Set(found.map(({ speaker }) => speaker)).size,
    cpuPerSecond: round(cpuSeconds / durationSeconds),
  }
}

const mergeTurns = (turns: readonly Turn[]): Turn[] => {
  const merged: Turn[] = []
  for (const turn of turns) {
    const last = merged.at(-1)
    if (last?.speaker === turn.speaker && turn.startSeconds - last.endSeconds < 1) last.endSeconds = turn.endSeconds
    else merged.push({ ...turn })
  }
  return merged
}

const readByPocketsphinx = async (truth: Readonly<Record<string, string>>) => {
  if (!isOnPath('pocketsphinx_continuous'))
    return { skipped: 'not installed: apt-get install pocketsphinx pocketsphinx-en-us' }
  let [errors, words, seconds] = [0, 0, 0]
  for (const clip of CLIPS) {
    const path = join(CORPUS, `${clip}.wav`)
    const { stdout } = await run_('pocketsphinx_continuous', ['-infile', path, '-logfn', '/dev/null'])
    const reference = toWords(truth[clip] ?? '')
    errors += countErrors(reference, toWords(stdout))
    words += reference.length
    seconds += (await readFile(path)).length / BYTES_PER_SECOND
  }
  return { wordErrorRate: round(errors / words), audioSeconds: round(seconds) }
}
