import type { Engine, SharedValues } from '../core/catalog.ts'
import { isJobFailureCode } from '../core/errors.ts'
import type { Metrics } from '../core/metrics.ts'
import { NOTHING_OUTSIDE, type OutsideOffer, type TranscriptionFacts } from '../core/outside.ts'
import { type Answerer, type AnswerQuestion, createAnswerer } from './answer-child.ts'
import { type Collector, createCollector, type ExtractedArtifact } from './collect-artifacts.ts'
import { type CrewMember, type CrewStats, createCrew } from './crew.ts'
import { placeInput } from './input.ts'
import type { ChildMessage, PlannedCapability, Warning } from './protocol.ts'
import { returnChild } from './return-child.ts'
import { type ChildJob, type RunningJob, runJob, type Usage } from './run-job.ts'
import type { Isolation, SandboxLimits, SandboxSettings } from './settings.ts'

export type { ExtractedArtifact } from './collect-artifacts.ts'
export type { PlannedCapability, Warning } from './protocol.ts'
export type { Isolation, SandboxLimits, SandboxSettings } from './settings.ts'

/** A file to look into, and whose it is. */
export type SandboxRequest = {
  /** Whose file it is: a child sees the files of one owner only. */
  owner: string
  extension: string
  inputPath: string
  /** Name given by the client, without folders, with its extension. */
  name: string
  bytes: number
  /** Other limits than those of the settings. */
  limits?: Partial<Pick<SandboxLimits, 'wallSeconds' | 'stallSeconds' | 'cpuSeconds' | 'outputBytes' | 'outputFiles'>>
}

/** What the caller hears while a job runs. */
export type ExtractHandlers = {
  /** Percent from 0 to 99, never going back; the phase is the capability at work. */
  onProgress?(percent: number, phase: string): void
  onWarning?(warning: Warning): void
  /** Does what needs a network; without it nothing that does is offered. */
  outside?: { offer: OutsideOffer; answer: AnswerQuestion }
}

/** What came out of a file. The artifacts' files exist until `release`, which must be called. */
export type Extraction = {
  artifacts: ExtractedArtifact[]
  warnings: Warning[]
  engines: Engine[]
  transcription: TranscriptionFacts | null
  usage: Usage
  release(): Promise<void>
}

/** A file, and the values of its options that bear on opening it. */
export type ProbeRequest = SandboxRequest & { shared: SharedValues }

/** A file, and what to take out of it. */
export type ExtractRequest = SandboxRequest & { capabilities: readonly PlannedCapability[] }

/** The one way to open a client's file: in a child that can do no harm. */
export type SandboxPool = {
  readonly isolation: Isolation
  /** Why the isolation is not the best one; to be said loudly. */
  readonly problem: string | undefined
  probe(request: ProbeRequest, signal: AbortSignal): Promise<Omit<Metrics, 'bytes'>>
  extract(request: ExtractRequest, handlers: ExtractHandlers, signal: AbortSignal): Promise<Extraction>
  stats(): CrewStats
  /** Ends every child and removes every folder; jobs still at work are rejected. */
  close(): Promise<void>
}

const MAX_WARNINGS = 1_000
const REFUSE: AnswerQuestion = async () => ({ failure: 'not_offered' })

/** Opens the sandbox: finds the isolation, and has the first spare children started in the background. */
export const openSandbox = async (settings: SandboxSettings): Promise<SandboxPool> => {
  const crew = await createCrew(settings)
  const running = new Set<{ fail(error: Error): void; outcome: Promise<unknown> }>()
  let closed: Error | undefined

  /** Runs one job in a child of its owner; a child is never used again after a job that did not end well. */
  const work = async <T>(
    request: SandboxRequest,
    signal: AbortSignal,
    describeJob: (member: CrewMember, limits: SandboxLimits, fail: (error: Error) => void) => JobOf<T>,
  ): Promise<{ member: CrewMember; result: T; usage: Usage }> => {
    const member = await crew.borrow(request.owner, signal)
    try {
      await placeInput(member.berth.inFolder, request.inputPath, request.extension)
      if (closed) throw closed
      const limits = { ...settings.limits, ...request.limits }
      const { outFolder } = member.berth
      const place = { limits, outFolder, cpuSecondsBefore: member.cpuSeconds }
      const job: RunningJob<T> = runJob(
        member.handle,
        { ...describeJob(member, limits, (error) => job.fail(error)), ...place },
        signal,
      )
      running.add(job)
      const ended = await job.outcome.finally(() => running.delete(job))
      return { member, ...ended }
    } catch (error) {
      await crew.retire(member, true)
      throw error
    }
  }

  return {
    isolation: crew.isolation,
    problem: crew.problem,
    stats: crew.stats,
    async probe(request, signal) {
      const { member, result } = await work(request, signal, () => describeProbe(request))
      await returnChild(crew, member)
      return result
    },
    async extract(request, handlers, signal) {
      const { member, result, usage } = await work(request, signal, (member, limits, fail) =>
        describeExtraction(request, handlers, limits, {
          collector: createCollector(member, limits, fail),
          answerer: createAnswerer(member, { answer: handlers.outside?.answer ?? REFUSE, onProblem: fail }),
        }),
      )
      // A capability that broke has left the child in a state that nobody knows.
      const isSound = !result.warnings.some(({ code }) => isJobFailureCode(code))
      let released: Promise<void> | undefined
      const release = () => {
        released ??= isSound ? returnChild(crew, member) : crew.retire(member, true)
        return released
      }
      return { ...result, usage, release }
    },
    async close() {
      closed ??= new Error('the sandbox is closed')
      for (const { fail } of running) fail(closed)
      await Promise.allSettled([...running].map(({ outcome }) => outcome))
      await crew.close()
    },
  }
}

type JobOf<T> = Omit<ChildJob<T>, 'limits' | 'outFolder' | 'cpuSecondsBefore'>

const describeProbe = ({ name, extension, bytes, shared }: ProbeRequest): JobOf<Omit<Metrics, 'bytes'>> => ({
  message: { type: 'probe', name, extension, bytes, shared },
  collected: () => ({ bytes: 0, files: 0 }),
  isWaiting: () => false,
  abandon: () => Promise.resolve(),
  take(message) {
    if (message.type === 'progress') return undefined
    if (message.type !== 'measured') throw new Error(`${message.type} in a probe`)
    return { usage: message.usage, result: Promise.resolve(message.metrics) }
  },
})

const describeExtraction = (
  { name, extension, bytes, capabilities }: ExtractRequest,
  handlers: ExtractHandlers,
  { outputBytes, outputFiles }: SandboxLimits,
  { collector, answerer }: { collector: Collector; answerer: Answerer },
): JobOf<Pick<Extraction, 'artifacts' | 'warnings' | 'engines' | 'transcription'>> => {
  const ids = new Set(capabilities.map(({ id }) => id))
  const warnings: Warning[] = []
  let transcription: TranscriptionFacts | null = null
  let percent = 0
  const checkId = (id: string) => {
    if (!ids.has(id)) throw new Error('a capability that was not asked for')
  }
  const take = (message: ChildMessage) => {
    switch (message.type) {
      case 'progress':
        checkId(message.phase)
        percent = Math.min(99, Math.max(percent, Math.floor(message.percent)))
        handlers.onProgress?.(percent, message.phase)
        return undefined
      case 'warning': {
        checkId(message.capabilityId)
        if (warnings.length >= MAX_WARNINGS) return undefined
        const { code, capabilityId, detail } = message
        warnings.push({ code, capabilityId, detail })
        handlers.onWarning?.({ code, capabilityId, detail })
        return undefined
      }
      case 'artifact':
        checkId(message.capabilityId)
        collector.add(message)
        return undefined
      case 'ask':
        answerer.take(message)
        return undefined
      case 'transcribed':
        transcription = message.facts
        return undefined
      case 'done': {
        const { engines, usage } = message
        const finish = async () => ({ artifacts: await collector.finish(), warnings, engines, transcription })
        return { usage, result: finish() }
      }
      default:
        throw new Error(`${message.type} in an extraction`)
    }
  }
  const outside = handlers.outside?.offer ?? NOTHING_OUTSIDE
  const message = { type: 'extract' as const, name, extension, bytes, capabilities, outputBytes, outputFiles, outside }
  const collected = () => ({ bytes: collector.bytes(), files: collector.files() })
  const abandon = () => {
    answerer.stop()
    return collector.abandon()
  }
  return { message, take, collected, isWaiting: answerer.isBusy, abandon }
}
