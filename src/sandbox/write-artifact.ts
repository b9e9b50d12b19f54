import { closeSync, lstatSync, openSync, renameSync, writeSync } from 'node:fs'
import { join, normalize } from 'node:path'
import type { Artifact } from '../core/catalog.ts'
import { JobFailure } from '../core/errors.ts'

/** Writes artifacts into the out folder under plain numbers, within the limits of the job. */
export type ArtifactWriter = {
  /** Answers the name of the file; `onChunk` hears of each piece of a long one. */
  write(artifact: Artifact, onChunk: () => void): Promise<string>
  count(): number
}

type ArtifactData = Extract<Artifact, { data: unknown }>['data']

const CHUNK_BYTES = 262_144

/** Makes the writer of one job. */
export const createArtifactWriter = (
  folders: { out: string; scratch: string },
  limits: { outputBytes: number; outputFiles: number },
): ArtifactWriter => {
  let files = 0
  // Apart from the count: what a capability had begun when it failed keeps its name.
  let names = 0
  let bytes = 0
  const count = (more: number): void => {
    bytes += more
    if (bytes > limits.outputBytes) throw overLimit('output_bytes', limits.outputBytes)
  }
  const writeData = async (target: string, data: ArtifactData, onChunk: () => void) => {
    // The process has nothing else to do: synchronous writes are the cheap ones, and hold a fast producer back.
    const fd = openSync(target, 'wx', 0o644)
    const put = (chunk: Uint8Array) => {
      count(chunk.byteLength)
      for (let at = 0; at < chunk.byteLength; ) at += writeSync(fd, chunk, at)
    }
    try {
      if (typeof data === 'string') return put(Buffer.from(data))
      if (data instanceof Uint8Array) return put(data)
      let pending: Uint8Array[] = []
      let pendingBytes = 0
      for await (const part of data) {
        const chunk = typeof part === 'string' ? Buffer.from(part) : part
        pendingBytes += chunk.byteLength
        pending.push(chunk)
        if (pendingBytes < CHUNK_BYTES) continue
        put(Buffer.concat(pending))
        onChunk()
        pending = []
        pendingBytes = 0
      }
      put(Buffer.concat(pending))
    } finally {
      closeSync(fd)
    }
  }
  return {
    count: () => files,
    async write(artifact, onChunk) {
      if (files >= limits.outputFiles) throw overLimit('output_files', limits.outputFiles)
      names += 1
      const name = String(names)
      const target = join(folders.out, name)
      if ('file' in artifact) {
        const file = normalize(artifact.file)
        if (!file.startsWith(`${folders.scratch}/`)) throw new Error('an artifact is not in the scratch folder')
        const facts = lstatSync(file)
        if (!facts.isFile()) throw new Error('an artifact is not a plain file')
        count(facts.size)
        renameSync(file, target)
      } else {
        await writeData(target, artifact.data, onChunk)
      }
      files += 1
      return name
    },
  }
}

const overLimit = (limit: string, allowed: number): JobFailure =>
  new JobFailure('extract.limit_exceeded', { limit, allowed })
