import { lstatSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { uniquePaths } from '../core/artifact-names.ts'
import type { Provenance } from '../core/catalog.ts'
import { JobFailure } from '../core/errors.ts'
import type { ChildMessage } from './protocol.ts'

/** One file of the result, on the host, out of the child's reach. */
export type ExtractedArtifact = {
  /** Path in the ZIP: safe and unique. */
  path: string
  /** Absolute path of the content, until `release`. */
  file: string
  bytes: number
  mediaType: string
  capabilityId: string
  provenance: Provenance
}

/** Takes artifacts over from a child as they are announced. */
export type Collector = {
  add(message: ChildMessage & { type: 'artifact' }): void
  /** All of them, or the first problem. */
  finish(): Promise<ExtractedArtifact[]>
  /** Takes no more; resolves when nothing is being moved. */
  abandon(): Promise<void>
  bytes(): number
  files(): number
}

/**
 * Makes the collector of one job. A file is moved away first and looked at afterwards: the child lives on, and could
 * swap what it can reach between the look and the use. A link, a device or a file that has a second name is refused.
 */
export const createCollector = (
  { berth, resultFolder }: { berth: { outFolder: string }; resultFolder: string },
  limits: { outputBytes: number; outputFiles: number },
  onProblem: (error: Error) => void,
): Collector => {
  const artifacts: ExtractedArtifact[] = []
  const nextPath = uniquePaths()
  let announced = 0
  let bytes = 0
  let problem: Error | undefined
  let work = Promise.resolve()

  const take = async ({ file: name, ...message }: ChildMessage & { type: 'artifact' }): Promise<void> => {
    const file = join(resultFolder, name)
    renameSync(join(berth.outFolder, name), file)
    const facts = lstatSync(file)
    if (!facts.isFile() || facts.nlink !== 1) throw new Error(`artifact ${name} is not a plain file of its own`)
    bytes += facts.size
    if (bytes > limits.outputBytes) throw overLimit('output_bytes', limits.outputBytes)
    const { mediaType, capabilityId, provenance } = message
    artifacts.push({ path: nextPath(message.path), file, bytes: facts.size, mediaType, capabilityId, provenance })
  }
  return {
    add(message) {
      announced += 1
      work = work.then(async () => {
        if (problem) return
        try {
          if (announced > limits.outputFiles) throw overLimit('output_files', limits.outputFiles)
          await take(message)
        } catch (error) {
          problem = error instanceof JobFailure ? error : new JobFailure('extract.engine_failed', {}, { cause: error })
          onProblem(problem)
        }
      })
    },
    async finish() {
      await work
      if (problem) throw problem
      return artifacts
    },
    abandon() {
      problem ??= new Error('the job is over')
      return work
    },
    bytes: () => bytes,
    files: () => announced,
  }
}

/** The failure of a job that wants more than it may have. */
export const overLimit = (limit: string, allowed: number, cause?: unknown): JobFailure =>
  new JobFailure('extract.limit_exceeded', { limit, allowed }, { cause })
