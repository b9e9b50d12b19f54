import type { Engine, OptionValue, Provenance, SharedValues } from '../core/catalog.ts'
import { type ErrorParams, isJobFailureCode, type JobFailureCode } from '../core/errors.ts'
import type { Metrics } from '../core/metrics.ts'
import type { OutsideOffer, OutsideQuestion, TranscriptionFacts } from '../core/outside.ts'

/** The descriptor that carries the protocol; stdout and stderr stay free for whatever an engine prints. */
export const PROTOCOL_FD = 3

/** One capability with the option values it runs with. */
export type PlannedCapability = { id: string; values: Readonly<Record<string, OptionValue>> }

/** What the parent says to a child. */
export type ParentMessage =
  | { type: 'probe'; name: string; extension: string; bytes: number; shared: SharedValues }
  | {
      type: 'extract'
      name: string
      extension: string
      bytes: number
      capabilities: readonly PlannedCapability[]
      outputBytes: number
      outputFiles: number
      outside: OutsideOffer
    }
  /** The answer to a question lies in the in folder, unless there is none. */
  | { type: 'answer'; id: number; failure: string | null }
  /** Empty the out folder, and answer when that is done. */
  | { type: 'clean' }

/** Something asked for that the file does not hold, or holds only in part. */
export type Warning = { code: string; capabilityId: string; detail: string }

/** What a child spent on one job, by its own count. */
export type ChildUsage = { cpuSeconds: number; peakMemoryBytes: number }

/** What a child spent, and the programs that it keeps running for its next job, by their ids as it sees them. */
export type JobEnd = { usage: ChildUsage; residents: number[] }

/** What a child says to the parent. */
export type ChildMessage =
  | { type: 'ready' }
  | { type: 'clean' }
  | { type: 'progress'; percent: number; phase: string }
  | ({ type: 'warning' } & Warning)
  | {
      type: 'artifact'
      /** Name of the file in the out folder: a number. */
      file: string
      path: string
      mediaType: string
      capabilityId: string
      provenance: Provenance
    }
  /** A file of the out folder goes with it. */
  | { type: 'ask'; id: number; question: OutsideQuestion }
  | { type: 'transcribed'; facts: TranscriptionFacts }
  | ({ type: 'measured'; metrics: Omit<Metrics, 'bytes'> } & JobEnd)
  | ({ type: 'done'; engines: Engine[] } & JobEnd)
  /** `cause` is for the log alone. */
  | { type: 'failed'; code: JobFailureCode; params: ErrorParams; detail: string | undefined; cause: string }

/** Longest line that either side takes: a child's messages are small, a plan can hold long option values. */
export const CHILD_LINE_BYTES = 65_536
export const PARENT_LINE_BYTES = 16 * 1_048_576

/** A message as one line. */
export const encodeMessage = (message: ParentMessage | ChildMessage): string => `${JSON.stringify(message)}\n`

/** Cuts a byte stream into lines; throws at a line that is longer than it may be. */
export const createLineReader = (maxLineBytes: number, onLine: (line: string) => void): ((chunk: Buffer) => void) => {
  let rest: Buffer[] = []
  let restBytes = 0
  return (chunk) => {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const tail = chunk.subarray(from, end)
      if (restBytes + tail.length > maxLineBytes) throw new Error(`a line of more than ${maxLineBytes} bytes`)
      onLine(restBytes === 0 ? tail.toString() : Buffer.concat([...rest, tail]).toString())
      rest = []
      restBytes = 0
      from = end + 1
    }
    if (from === chunk.length) return
    rest.push(from === 0 ? chunk : chunk.subarray(from))
    restBytes += chunk.length - from
    if (restBytes > maxLineBytes) throw new Error(`a line of more than ${maxLineBytes} bytes`)
  }
}

/**
 * Reads one line of a child. A child that has parsed a hostile file may say anything: what is not a well-formed
 * message throws, and nothing but the known fields comes through.
 */
export const parseChildMessage = (line: string): ChildMessage => {
  const raw = asRecord(JSON.parse(line), 'message')
  switch (raw.type) {
    case 'ready':
    case 'clean':
      return { type: raw.type }
    case 'progress':
      return { type: 'progress', percent: asNumber(raw.percent, 0, 100), phase: asText(raw.phase, 200) }
    case 'warning':
      return {
        type: 'warning',
        code: asMatch(raw.code, WARNING_CODE),
        capabilityId: asText(raw.capabilityId, 200),
        detail: asText(raw.detail, 4_000),
      }
    case 'artifact':
      return {
        type: 'artifact',
        file: asMatch(raw.file, FILE_NAME),
        path: asText(raw.path, 16_384),
        mediaType: asMatch(raw.mediaType, MEDIA_TYPE),
        capabilityId: asText(raw.capabilityId, 200),
        provenance: readProvenance(raw.provenance),
      }
    case 'ask':
      return { type: 'ask', id: asNumber(raw.id, 1, 1e6), question: readQuestion(raw.question) }
    case 'transcribed':
      return { type: 'transcribed', facts: readFacts(raw.facts) }
    case 'measured':
      return { type: 'measured', metrics: readMetrics(raw.metrics), ...readJobEnd(raw) }
    case 'done':
      return { type: 'done', engines: readEngines(raw.engines), ...readJobEnd(raw) }
    case 'failed': {
      const code = asText(raw.code, 200)
      if (!isJobFailureCode(code)) throw new Error(`unknown failure ${code}`)
      const detail = raw.detail === undefined ? undefined : asText(raw.detail, 2_000)
      const params = asRecord(raw.params, 'params')
      return { type: 'failed', code, params, detail, cause: asText(raw.cause, 32_768) }
    }
    default:
      throw new Error('unknown message type')
  }
}

const WARNING_CODE = /^[a-z][a-z0-9_]*(?:\.[a-z0-9_]+){0,5}$/
const FILE_NAME = /^[1-9]\d{0,8}$/
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(?:; ?[\w-]{1,40}=[\w.+-]{1,60})?$/

const asRecord = (value: unknown, what: string): Record<string, unknown> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${what} is not an object`)
  return value as Record<string, unknown>
}

const asText = (value: unknown, maxLength: number): string => {
  if (typeof value !== 'string' || value.length > maxLength) throw new Error('a text is missing or too long')
  return value
}

const asMatch = (value: unknown, pattern: RegExp): string => {
  const text = asText(value, 400)
  if (!pattern.test(text)) throw new Error(`a text is not ${pattern}`)
  return text
}

const asNumber = (value: unknown, min: number, max: number): number => {
  if (typeof value !== 'number' || !(value >= min && value <= max)) throw new Error(`a number is not in ${min}..${max}`)
  return value
}

const readProvenance = (value: unknown): Provenance => {
  const raw = asRecord(value, 'provenance')
  return {
    ...(raw.page !== undefined && { page: asNumber(raw.page, 0, 1e9) }),
    ...(raw.slide !== undefined && { slide: asNumber(raw.slide, 0, 1e9) }),
    ...(raw.sheet !== undefined && { sheet: asText(raw.sheet, 1_000) }),
    ...(raw.timeSeconds !== undefined && { timeSeconds: asNumber(raw.timeSeconds, 0, 1e9) }),
    ...(raw.part !== undefined && { part: asText(raw.part, 4_000) }),
  }
}

const readMetrics = (value: unknown): Omit<Metrics, 'bytes'> => {
  const raw = asRecord(value, 'metrics')
  const metrics: Omit<Metrics, 'bytes'> = {}
  if (raw.durationSeconds !== undefined) metrics.durationSeconds = asNumber(raw.durationSeconds, 0, 1e9)
  for (const key of ['pages', 'slides', 'sheets', 'frames'] as const) {
    if (raw[key] === undefined) continue
    const count = asNumber(raw[key], 0, 1e9)
    if (!Number.isInteger(count)) throw new Error(`${key} is not a whole number`)
    metrics[key] = count
  }
  return metrics
}

const readQuestion = (value: unknown): OutsideQuestion => {
  const raw = asRecord(value, 'question')
  if (raw.kind === 'complete') return { kind: 'complete' }
  if (raw.kind !== 'transcribe') throw new Error('unknown kind of question')
  return {
    kind: 'transcribe',
    provider: asText(raw.provider, 100),
    mediaType: asMatch(raw.mediaType, MEDIA_TYPE),
    durationSeconds: asNumber(raw.durationSeconds, 0, 1e9),
    language: asMatch(raw.language, LANGUAGE),
    speakers: raw.speakers === true,
  }
}

const LANGUAGE = /^[A-Za-z0-9-]{2,35}$/

const readFacts = (value: unknown): TranscriptionFacts => {
  const raw = asRecord(value, 'facts')
  return {
    provider: asText(raw.provider, 100),
    model: asText(raw.model, 200),
    mode: asText(raw.mode, 100),
    language: asMatch(raw.language, LANGUAGE),
    durationSeconds: asNumber(raw.durationSeconds, 0, 1e9),
    segmentCount: asNumber(raw.segmentCount, 0, 1e9),
    speakerCount: raw.speakerCount === null ? null : asNumber(raw.speakerCount, 0, 1e6),
  }
}

const MAX_RESIDENTS = 16

const readJobEnd = ({ usage, residents }: Record<string, unknown>): JobEnd => {
  if (!Array.isArray(residents) || residents.length > MAX_RESIDENTS) throw new Error('residents is not a list')
  return { usage: readUsage(usage), residents: residents.map((pid) => asNumber(pid, 1, 2 ** 32)) }
}

const readUsage = (value: unknown): ChildUsage => {
  const raw = asRecord(value, 'usage')
  return { cpuSeconds: asNumber(raw.cpuSeconds, 0, 1e9), peakMemoryBytes: asNumber(raw.peakMemoryBytes, 0, 1e15) }
}

const readEngines = (value: unknown): Engine[] => {
  if (!Array.isArray(value) || value.length > 100) throw new Error('engines is not a list')
  return value.map((item) => {
    const raw = asRecord(item, 'engine')
    return { name: asText(raw.name, 200), version: asText(raw.version, 200) }
  })
}
