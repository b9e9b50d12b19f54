/** What a transcript was made with and holds, for the job's record. */
export type TranscriptionFacts = {
  provider: string
  model: string
  mode: string
  language: string
  durationSeconds: number
  segmentCount: number
  speakerCount: number | null
}

/** What a job asked of providers: what they will put on the operator's bill. */
export type ProviderSpend = { requests: number; audioSeconds: number }

/** An engine that may write down speech: one that is here, or a provider that is reached from outside. */
export type Transcriber = {
  name: string
  /** What one request may hold. */
  maxBytes: number
  maxSeconds: number
  tellsSpeakers: boolean
  /** A program of the operator's that runs inside the sandbox, with its model. */
  local?: { program: string; model: string }
}

/** What can be had from outside of the sandbox for one job. */
export type OutsideOffer = {
  /** Engines of each transcription mode, the first choice first. */
  transcribers: Readonly<Record<string, readonly Transcriber[]>>
  /** Whether a language model can be asked. */
  completes: boolean
}

/** What a job may ask for; the file that goes with it holds the sound, or the words for the language model. */
export type OutsideQuestion =
  | {
      kind: 'transcribe'
      provider: string
      mediaType: string
      durationSeconds: number
      language: string
      speakers: boolean
    }
  | { kind: 'complete' }

/** An answer, or why there is none. */
export type OutsideAnswer = { value: unknown } | { failure: string }

/** The one way out of the sandbox, where there is no network. */
export type Outside = {
  readonly offer: OutsideOffer
  /** Hands a file of the scratch folder over with a question, and waits. */
  ask(question: OutsideQuestion, file: string): Promise<OutsideAnswer>
  /** Puts what a transcript was made with on the job's record. */
  report(facts: TranscriptionFacts): void
}

/** Where nothing but what is built in can be had. */
export const NOTHING_OUTSIDE: OutsideOffer = { transcribers: {}, completes: false }
