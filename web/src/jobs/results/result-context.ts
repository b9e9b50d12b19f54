import { createContext, useContext, useMemo } from 'react'
import type { OutputFile } from '../../../../src/jobs/records.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { fileAddress, type ResultSource } from './file-address.ts'
import { MANIFEST } from './sort-files.ts'

/** The result that is looked at. */
export const Result = createContext<{ source: ResultSource; files: readonly OutputFile[] }>({
  source: { id: '', proof: undefined },
  files: [],
})

/** Where a file of the result is. */
export const useFileAddress = (): ((path: string) => string) => {
  const { source } = useContext(Result)
  return useMemo(() => (path: string) => fileAddress(source, path), [source])
}

/** All files of the result. */
export const useResultFiles = (): readonly OutputFile[] => useContext(Result).files

/** Whether the result has a file of this path. */
export const useHasFile = (): ((path: string) => boolean) => {
  const { files } = useContext(Result)
  const paths = useMemo(() => new Set(files.map(({ path }) => path)), [files])
  return useMemo(() => (path: string) => paths.has(path), [paths])
}

export type ManifestArtifact = {
  path: string
  mediaType: string
  provenance: { page?: number; slide?: number; sheet?: string; timeSeconds?: number; part?: string }
}
export type Manifest = {
  service: { name: string; version: string }
  source: { fileName: string; bytes: number; sha256: string; format: string; category: string }
  options: { workflow: string; selectedCapabilities: string[]; capabilityOptions: Record<string, unknown> }
  engines: { name: string; version: string }[]
  artifacts: ManifestArtifact[]
  warnings: { code: string; capabilityId: string | null; detail: string }[]
}

/** The manifest of the result, where it has one. */
export const useManifest = (): { data: Manifest | undefined; error: unknown } => {
  const { source } = useContext(Result)
  const hasFile = useHasFile()
  return useAnswer<Manifest>(hasFile(MANIFEST) ? fileAddress(source, MANIFEST) : null)
}
