import type { JobFailureCode } from './errors.ts'
import type { Metrics, PriceMetric } from './metrics.ts'
import type { Outside } from './outside.ts'
import type { SignatureName } from './signatures.ts'

/** Credits of one term: ceil(metric / per) × credits (1 unless told). */
export type PriceTerm = {
  metric: PriceMetric
  per: number
  credits?: number
  /** Those of the family's extensions that it holds for; all unless told. */
  extensions?: readonly string[]
}

export type AddOn = PriceTerm & {
  /** Limits it to one value of one option, which then names the mode. */
  when?: { option: string; value: string }
  /** Names work that several capabilities share: of the add-ons with this name a job pays only the first. */
  once?: string
}

export type OptionSpec = {
  required?: boolean
  /** About the file rather than the capability: given for one, it holds for every capability that was not given its own. */
  shared?: boolean
  detail?: string
} & (
  | { type: 'enum'; allowedValues: readonly string[]; defaultValue: string }
  | { type: 'boolean'; defaultValue: boolean }
  | { type: 'integer' | 'number'; min: number; max: number; defaultValue: number }
  | {
      type: 'string'
      defaultValue: string
      maxLength: number
      /** A whole-value regular expression, without anchors. */
      pattern?: string
      /** Never logged, never written to a manifest, forgotten when the job ends. */
      secret?: boolean
    }
  | {
      type: 'list'
      allowedValues: readonly string[]
      defaultValue: readonly string[]
      /** What is allowed depends on what this machine has. */
      installed?: boolean
    }
)
export type OptionSpecs = Readonly<Record<string, OptionSpec>>
export type OptionValue = string | number | boolean | readonly string[]

/** What a capability's `extract` sees: each option with the type its declaration gives it. */
export type OptionValues<S extends OptionSpecs> = {
  readonly [K in keyof S]: S[K] extends { type: 'enum'; allowedValues: readonly (infer V)[] }
    ? V
    : S[K] extends { type: 'list'; allowedValues: readonly (infer V)[] }
      ? readonly V[]
      : S[K] extends { type: 'boolean' }
        ? boolean
        : S[K] extends { type: 'integer' | 'number' }
          ? number
          : string
}

/** Values of the shared options of a job's capabilities, by option id. */
export type SharedValues = Readonly<Record<string, OptionValue>>

/** The file as the sandboxed child sees it. */
export type Source = {
  readonly path: string
  /** Name given by the client, without folders, with its extension. */
  readonly name: string
  readonly extension: string
  readonly bytes: number
}

/** What a probe or a capability may do besides reading its source. */
export type Context = {
  readonly signal: AbortSignal
  /** Ids of all capabilities of the job. */
  readonly selected: ReadonlySet<string>
  /** The options of a capability of the job, for work that is done ahead for several of them. */
  optionsOf?(capabilityId: string): Readonly<Record<string, OptionValue>> | undefined
  /** All families of the service, for files that lie inside a file; a probe has no need of them. */
  readonly catalog?: Catalog
  /** Asks for what needs a network; without it only what is built in can be had. */
  readonly outside?: Outside
  /** A folder of this job's own, wiped afterwards. */
  readonly scratch: string
  /** Share of this capability that is done, 0 to 1. Also tells the watchdog that the work is alive. */
  progress(fraction: number): void
  /** Something asked for that the file does not hold, or holds only in part. */
  warn(code: string, detail: string): void
}

/** Where in the source an artifact comes from. */
export type Provenance = Readonly<{
  page?: number
  slide?: number
  sheet?: string
  timeSeconds?: number
  part?: string
}>

/** One file of the result: content in hand, content as it comes, or a file made under `ctx.scratch`. */
export type Artifact = {
  /** Path in the ZIP, in the group's folder: `text/notes.txt`. Made safe and unique on the way out. */
  path: string
  mediaType: string
  provenance?: Provenance
} & ({ data: string | Uint8Array | AsyncIterable<string | Uint8Array> } | { file: string })

/** What a family needs from outside, and the Debian package that brings it: a program, or a file of data. */
export type Tool = {
  name: string
  debianPackage: string
  purpose: string
  /** Without it less can be done, but what asks for it still works. */
  optional?: boolean
  /** Those of the family's extensions that need it; all unless told. */
  extensions?: readonly string[]
} & ({ command: string; versionArgs: readonly string[] } | { file: string })

/** A library or program named with its version in the manifest. */
export type Engine = { name: string; version: string }

export type Capability<S extends OptionSpecs = OptionSpecs> = {
  /** `<family>.<what>`, as on the wire. */
  id: string
  /** Output group: `text`, `markdown`, `images`, `metadata`, … */
  output: string
  defaultSelected: boolean
  detail?: string
  options: S
  addOns?: readonly AddOn[]
  tools?: readonly Tool[]
  extract(source: Source, options: OptionValues<S>, context: Context): AsyncIterable<Artifact>
}

export type Constraint = {
  type: 'requires' | 'excludes'
  capabilityId: string
  option?: { id: string; value: OptionValue }
  targets: readonly string[]
  detail: string
}

/** Modes, prices and languages of `/transcribe`, on formats that hold sound. */
export type TranscriptionSpec = {
  modes: readonly { id: string; creditsPerMinute: number; available: boolean }[]
  languages: readonly string[]
}

export type Format = {
  /** The family: also the name of its folder. */
  name: string
  category: string
  /** Queue that its jobs wait in. */
  pool: string
  extensions: readonly string[]
  mimeTypes: Readonly<Record<string, readonly string[]>>
  /** A job costs the greatest of these terms, at least 1 credit. */
  price: readonly PriceTerm[]
  /** Signatures (magic bytes) that its files may start with; any other known one is a mismatch. */
  accepts: readonly SignatureName[]
  engines?: readonly Engine[]
  tools?: readonly Tool[]
  /** Measures what the price needs beyond the file's size; absent where size is all. Runs in the sandbox. */
  probe?(source: Source, context: Context, shared: SharedValues): Promise<Omit<Metrics, 'bytes'>>
  capabilities: readonly Capability[]
  constraints?: readonly Constraint[]
  /** Failure that stands for "nothing found" when a job ends without a single artifact. */
  emptyFailure?: JobFailureCode
  transcription?: TranscriptionSpec
  limits?: { maxUnits?: number }
}

/** Whether a price term holds for a file with this extension; with none, whether for any file of the family. */
export const holdsFor = ({ extensions }: PriceTerm, extension: string | null): boolean =>
  extensions === undefined || extension === null || extensions.includes(extension)

/** Keeps the literal option types for `extract`, forgets them for the catalog. */
export const defineCapability = <const S extends OptionSpecs>(capability: Capability<S>): Capability =>
  capability as unknown as Capability
export const defineFormat = (format: Format): Format => format

export type Catalog = {
  readonly formats: readonly Format[]
  readonly byExtension: ReadonlyMap<string, Format>
}

/** Fails at the start, not at the first request: a wrong declaration never serves. */
export const buildCatalog = (formats: readonly Format[]): Catalog => {
  const problems = formats.flatMap(checkFormat)
  const byExtension = new Map<string, Format>()
  for (const format of formats) {
    for (const extension of format.extensions) {
      const owner = byExtension.get(extension)
      if (owner) problems.push(`${extension} is declared by both ${owner.name} and ${format.name}`)
      byExtension.set(extension, format)
    }
  }
  const names = formats.map((format) => format.name)
  for (const name of new Set(names)) {
    if (names.indexOf(name) !== names.lastIndexOf(name)) problems.push(`two families are called ${name}`)
  }
  if (problems.length > 0) throw new Error(`The catalog is wrong:\n- ${problems.join('\n- ')}`)
  return { formats, byExtension }
}

const checkFormat = (format: Format): string[] => {
  const problems: string[] = []
  const say = (problem: string) => problems.push(`${format.name}: ${problem}`)
  const ids = format.capabilities.map((capability) => capability.id)
  if (ids.length === 0) say('has no capability')
  if (new Set(ids).size !== ids.length) say('a capability id is used twice')
  if (!format.capabilities.some((capability) => capability.defaultSelected)) say('no capability is selected by default')
  if (format.price.length === 0) say('has no price')
  for (const term of format.price) {
    if (!(term.per > 0)) say(`price term ${term.metric} has no positive "per"`)
    if (term.metric !== 'megabytes' && !format.probe) say(`is priced on ${term.metric} but has no probe`)
  }
  for (const extension of format.extensions) {
    if (!format.price.some((term) => holdsFor(term, extension))) say(`has no price for ${extension}`)
  }
  for (const extension of format.extensions) {
    if (!/^[a-z0-9][a-z0-9+_-]*$/.test(extension)) say(`extension ${extension} is not lower case without a dot`)
  }
  for (const extension of Object.keys(format.mimeTypes)) {
    if (!format.extensions.includes(extension)) say(`a MIME type is given for ${extension}, which it does not take`)
  }
  for (const capability of format.capabilities) {
    for (const [id, option] of Object.entries(capability.options)) {
      const problem = valueProblem(option, option.defaultValue)
      if (problem) say(`default of ${capability.id}/${id} ${problem}`)
    }
    for (const { when } of capability.addOns ?? []) {
      if (!when) continue
      const option = capability.options[when.option]
      if (!option) say(`an add-on of ${capability.id} looks at option ${when.option}, which does not exist`)
      else if (valueProblem(option, when.value))
        say(`an add-on of ${capability.id} waits for ${when.option}=${when.value}`)
    }
  }
  for (const constraint of format.constraints ?? []) {
    const owner = format.capabilities.find((capability) => capability.id === constraint.capabilityId)
    for (const id of [constraint.capabilityId, ...constraint.targets]) {
      if (!ids.includes(id)) say(`a constraint refers to ${id}, which is not one of its capabilities`)
    }
    if (constraint.option && owner) {
      const option = owner.options[constraint.option.id]
      if (!option) say(`a constraint refers to option ${constraint.option.id}, which ${owner.id} does not have`)
      else if (valueProblem(option, constraint.option.value))
        say(`a constraint waits for a value ${constraint.option.id} cannot have`)
    }
  }
  return problems
}

/** Why a value does not fit an option; undefined when it does. */
export const valueProblem = (option: OptionSpec, value: unknown): string | undefined => {
  switch (option.type) {
    case 'enum':
      return option.allowedValues.includes(value as string)
        ? undefined
        : `must be one of ${option.allowedValues.join(', ')}`
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'integer':
    case 'number': {
      const numeric =
        option.type === 'integer' ? Number.isInteger(value) : typeof value === 'number' && Number.isFinite(value)
      if (!numeric) return option.type === 'integer' ? 'must be a whole number' : 'must be a number'
      return (value as number) >= option.min && (value as number) <= option.max
        ? undefined
        : `must be between ${option.min} and ${option.max}`
    }
    case 'string':
      if (typeof value !== 'string') return 'must be a string'
      if (value.length > option.maxLength) return `must have at most ${option.maxLength} characters`
      // Where nothing is the default, nothing may also be sent.
      if (value === '' && option.defaultValue === '') return undefined
      return option.pattern && !new RegExp(`^(?:${option.pattern})$`, 'u').test(value)
        ? `must match ${option.pattern}`
        : undefined
    case 'list':
      if (!Array.isArray(value)) return 'must be an array'
      return value.every((item) => option.allowedValues.includes(item))
        ? undefined
        : `must hold only ${option.allowedValues.join(', ')}`
  }
}

/** `mp4`, `.mp4` and `MP4` are the same. */
export const normalizeExtension = (text: string): string => text.trim().replace(/^\./, '').toLowerCase()

/** The family of an extension as `normalizeExtension` writes it. */
export const findFormat = (catalog: Catalog, extension: string): Format | undefined =>
  catalog.byExtension.get(extension)

/** The pools that the families name, each once. */
export const listPools = ({ formats }: Catalog): string[] => [...new Set(formats.map(({ pool }) => pool))]

/** The kind of job that a source extension makes. */
export const jobKind = (extension: string): string => `extract.${extension}`
