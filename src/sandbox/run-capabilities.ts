import type { Capability, Catalog, Context, Format, SharedValues, Source } from '../core/catalog.ts'
import { JobFailure, type JobFailureCode } from '../core/errors.ts'
import type { Outside } from '../core/outside.ts'
import { listResidents } from '../engines/residents.ts'
import { toFailureMessage, toJobFailure } from './failure-message.ts'
import type { Outbox } from './outbox.ts'
import type { ChildUsage, ParentMessage } from './protocol.ts'
import { type ArtifactWriter, createArtifactWriter } from './write-artifact.ts'

type Folders = { out: string; scratch: string }
type ExtractMessage = ParentMessage & { type: 'extract' }
type Values = ExtractMessage['capabilities'][number]['values']

/** Failures of the file or of the job as a whole: what other capabilities found does not make up for them. */
const FATAL: ReadonlySet<JobFailureCode> = new Set<JobFailureCode>([
  'extract.source_unreadable',
  'extract.source_encrypted',
  'extract.limit_exceeded',
  'extract.timed_out',
  'extract.audio_transcription.provider_not_configured',
])

/** A capability that costs extra and gives nothing fails the job too: nobody pays for what was not delivered. */
const FATAL_IF_PAID: ReadonlySet<JobFailureCode> = new Set<JobFailureCode>([
  'extract.engine_failed',
  'extract.pdf.no_ocr_text_found',
  'transcribe.no_audio',
  'transcribe.no_speech',
])

const isFatal = ({ code }: JobFailure, { addOns = [] }: Capability, values: Values): boolean => {
  const isPaid = addOns.some(({ when }) => !when || values[when.option] === when.value)
  return FATAL.has(code) || (isPaid && FATAL_IF_PAID.has(code))
}

/** Measures a source and tells the parent. */
export const probeSource = async (
  format: Format,
  source: Source,
  shared: SharedValues,
  folders: Folders,
  outbox: Outbox,
): Promise<void> => {
  const readUsage = startUsage()
  let ended = false
  const context: Context = {
    signal: new AbortController().signal,
    selected: new Set(),
    scratch: folders.scratch,
    progress: () => {
      if (!ended) outbox.sendProgress(0, 'probe')
    },
    warn: () => {},
  }
  const metrics = (await format.probe?.(source, context, shared)) ?? {}
  ended = true
  outbox.send({ type: 'measured', metrics, usage: readUsage(), residents: listResidents() })
  outbox.flush()
}

/** Runs the capabilities of a plan one after the other and tells the parent what comes out; throws what fails the job. */
export const runCapabilities = async (
  format: Format,
  source: Source,
  plan: ExtractMessage,
  { folders, outbox, catalog, outside }: Surroundings,
): Promise<void> => {
  const readUsage = startUsage()
  const writer = createArtifactWriter(folders, plan)
  const selected = new Set(plan.capabilities.map(({ id }) => id))
  const optionsOf = (id: string) => plan.capabilities.find((capability) => capability.id === id)?.values
  const failures: { capabilityId: string; failure: JobFailure }[] = []
  for (const [index, { id, values }] of plan.capabilities.entries()) {
    const capability = format.capabilities.find((candidate) => candidate.id === id)
    if (!capability) throw new Error(`${format.name} has no capability ${id}`)
    const share = { from: index / plan.capabilities.length, size: 1 / plan.capabilities.length }
    try {
      await runCapability(capability, source, values, {
        folders,
        selected,
        optionsOf,
        catalog,
        outside,
        writer,
        outbox,
        share,
      })
    } catch (error) {
      const failure = toJobFailure(error)
      if (isFatal(failure, capability, values)) throw failure
      failures.push({ capabilityId: id, failure })
    }
  }
  if (writer.count() === 0) {
    throw failures[0]?.failure ?? new JobFailure(format.emptyFailure ?? 'extract.output_empty')
  }
  for (const { capabilityId, failure } of failures) {
    outbox.send({ type: 'warning', code: failure.code, capabilityId, detail: failure.detail })
    console.error(toFailureMessage(failure).cause)
  }
  const engines = [...(format.engines ?? [])]
  outbox.send({ type: 'done', engines, usage: readUsage(), residents: listResidents() })
  outbox.flush()
}

/** What a job finds around it. */
export type Surroundings = { folders: Folders; outbox: Outbox; catalog: Catalog; outside: Outside }

type Run = Surroundings & {
  selected: ReadonlySet<string>
  optionsOf: NonNullable<Context['optionsOf']>
  writer: ArtifactWriter
  share: { from: number; size: number }
}

const runCapability = async (
  capability: Capability,
  source: Source,
  values: Values,
  { folders, selected, optionsOf, catalog, outside, writer, outbox, share }: Run,
): Promise<void> => {
  let warned = false
  let fraction = 0
  let ended = false
  const beat = () => {
    // Something begun and not waited for may call long after.
    if (ended) return
    outbox.sendProgress(Math.min(99, Math.floor((share.from + share.size * fraction) * 100)), capability.id)
  }
  const context: Context = {
    signal: new AbortController().signal,
    selected,
    optionsOf,
    catalog,
    outside,
    scratch: folders.scratch,
    progress: (done) => {
      fraction = Math.max(fraction, Math.min(1, done || 0))
      beat()
    },
    warn: (code, detail) => {
      if (ended) return
      warned = true
      outbox.send({ type: 'warning', code, capabilityId: capability.id, detail: detail.slice(0, 1_000) })
    },
  }
  beat()
  const before = writer.count()
  try {
    for await (const artifact of capability.extract(source, values as never, context)) {
      const file = await writer.write(artifact, beat)
      const { path, mediaType, provenance = {} } = artifact
      outbox.send({ type: 'artifact', file, path, mediaType, capabilityId: capability.id, provenance })
    }
  } finally {
    ended = true
  }
  if (writer.count() === before && !warned) {
    const detail = 'The file holds nothing of this kind.'
    outbox.send({ type: 'warning', code: 'capability.nothing_found', capabilityId: capability.id, detail })
  }
}

/** Counts from now on. The kernel keeps one peak for the whole life, so an older one gives way to what is held now. */
const startUsage = (): (() => ChildUsage) => {
  const start = process.cpuUsage()
  const peakBefore = process.resourceUsage().maxRSS
  return () => {
    const { user, system } = process.cpuUsage(start)
    const peak = process.resourceUsage().maxRSS
    const peakMemoryBytes = peak > peakBefore ? peak * 1024 : process.memoryUsage.rss()
    return { cpuSeconds: (user + system) / 1e6, peakMemoryBytes }
  }
}
