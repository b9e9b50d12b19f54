import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Capability, Context, Source } from '../../src/core/catalog.ts'
import video from '../../src/formats/video/format.ts'
import { childrenCpuSeconds } from './cpu.ts'

// One job of the family in a process of its own, as a warm child of the sandbox runs it. Prints what it cost.

const [file = '', optionsJson = '{}'] = process.argv.slice(2)
const given = JSON.parse(optionsJson) as Record<string, Record<string, unknown>>
const selected = video.capabilities.filter(({ id, defaultSelected }) =>
  Object.keys(given).length === 0 ? defaultSelected : id in given,
)
const valuesOf = (id: string) => {
  const capability = selected.find((candidate) => candidate.id === id)
  if (!capability) return undefined
  const defaults = Object.entries(capability.options).map(([option, spec]) => [option, spec.defaultValue] as const)
  return { ...Object.fromEntries(defaults), ...given[id] } as Parameters<Capability['extract']>[1]
}
const source: Source = { path: file, name: 'film.mp4', extension: 'mp4', bytes: statSync(file).size }
const scratch = mkdtempSync(join(tmpdir(), 'quarry-bench-media-'))
const startedAt = performance.now()
const before = { own: process.cpuUsage(), children: childrenCpuSeconds() }
let artifacts = 0
for (const capability of selected) {
  const context: Context = {
    ...{ signal: new AbortController().signal, selected: new Set(selected.map(({ id }) => id)), optionsOf: valuesOf },
    ...{ scratch, progress: () => {}, warn: () => {} },
  }
  for await (const _ of capability.extract(source, valuesOf(capability.id) ?? {}, context)) artifacts += 1
}
const { user, system } = process.cpuUsage(before.own)
const nodeSeconds = (user + system) / 1e6
const engineSeconds = childrenCpuSeconds() - before.children
rmSync(scratch, { recursive: true })
const wallSeconds = (performance.now() - startedAt) / 1_000
console.log(
  JSON.stringify({ cpuSeconds: nodeSeconds + engineSeconds, nodeSeconds, engineSeconds, wallSeconds, artifacts }),
)
