import type { Segment, WordTimes } from '../model.ts'

/** Sound on its way to a provider: one channel, as the sandbox wrote it. */
export type AudioFile = { path: string; bytes: number; mediaType: string; durationSeconds: number }

export type ProviderRequest = {
  audio: AudioFile
  /** BCP-47, or `auto`. */
  language: string
  /** Whether to tell the speakers apart, where the provider can. */
  speakers: boolean
  signal: AbortSignal
}

/** What a provider made of one file; times count from the file's start. */
export type ProviderAnswer = {
  /** Null where it does not say. */
  language: string | null
  model: string
  segments: readonly Omit<Segment, 'id'>[]
  wordTimes: WordTimes
}

/** A service that writes down speech. */
export type Provider = {
  name: string
  /** What one request may hold; longer recordings are cut at silence. */
  maxBytes: number
  maxSeconds: number
  tellsSpeakers: boolean
  transcribe(request: ProviderRequest): Promise<ProviderAnswer>
}

export type ProviderReason = 'unreachable' | 'timed_out' | 'rate_limited' | 'refused' | 'failed' | 'bad_answer'

/** A provider did not do its work, after all tries. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
  readonly provider: string
  readonly reason: ProviderReason
  readonly status: number | undefined
  constructor(
    provider: string,
    reason: ProviderReason,
    more: { status?: number; detail?: string; cause?: unknown } = {},
  ) {
    super(`${provider}: ${reason}${more.status ? ` (${more.status})` : ''}${more.detail ? `: ${more.detail}` : ''}`, {
      cause: more.cause,
    })
    this.provider = provider
    this.reason = reason
    this.status = more.status
  }
}
