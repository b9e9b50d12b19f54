import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { uniquePaths } from '../../core/artifact-names.ts'
import { type Artifact, type Catalog, type Context, defineCapability } from '../../core/catalog.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { passwordOption } from '../shared/password-option.ts'
import { chooseNames } from './choose-names.ts'
import { findMismatch, findWay, findWayByContent, isUnknownName, type TextWay } from './find-family.ts'
import { hasArchiveName } from './kinds.ts'
import { createBudget, MAX_DEPTH } from './limits.ts'
import type { Member } from './member.ts'
import { readMemberText } from './member-text.ts'
import { toArtifactName } from './names.ts'
import { openSource } from './open.ts'
import { maxFilesOption, nameOptions } from './options.ts'
import { createReport, type Report } from './report.ts'
import { type FoundFile, walkMembers } from './walk-members.ts'

/** A larger file is sent on its own by whoever wants its text. */
const MAX_MEMBER_BYTES = 128 * 1_048_576
const MAX_NAMELESS_BYTES = 16 * 1_048_576
const MAX_TOTAL_BYTES = 2 * 1024 ** 3
const MAX_MINUTES = 20
const INDEX_PATH = 'text/index.json'

/** What became of one member. */
type IndexEntry = {
  name: string
  bytes: number
  status: 'read' | 'empty' | 'failed' | 'no-text'
  capability?: string
  paths?: string[]
  code?: string
  detail?: string
  warnings?: string[]
}

/** The text of every member that has any. */
export const text = defineCapability({
  id: 'archive.text',
  output: 'text',
  defaultSelected: true,
  detail:
    'The text of every file whose format the service reads, archives inside too, a file each, and an index in JSON. Pictures and scanned pages are not read.',
  options: {
    password: passwordOption,
    form: {
      type: 'enum',
      allowedValues: ['text', 'markdown'],
      defaultValue: 'text',
      detail: '`markdown` where a format gives it, plain text elsewhere.',
    },
    ...nameOptions,
    maxFiles: maxFilesOption,
    depth: {
      type: 'integer',
      min: 0,
      max: MAX_DEPTH,
      defaultValue: 2,
      detail: 'How many levels of archives inside the archive are read too.',
    },
  },
  async *extract(source, { password, form, include, exclude, maxFiles, depth }, context) {
    const { catalog } = context
    if (!catalog) throw new Error('a job is run without the catalog')
    const reader = await openSource(source, password, context)
    const isChosen = chooseNames({ include, exclude })
    const report = createReport(context)
    const walk = {
      context,
      budget: createBudget(source.bytes, MAX_TOTAL_BYTES),
      report,
      password,
      maxDepth: depth,
      tellsOfDeep: depth > 0,
      wants: (name: string, member: Member) => isChosen(name) && isReadable(catalog, name, member, form, report),
      isArchive: (name: string) => hasArchiveName(name),
    }
    const folder = mkdtempSync(join(context.scratch, 'text-'))
    const nextPath = uniquePaths()
    nextPath(INDEX_PATH)
    const index: IndexEntry[] = []
    const untilMs = Date.now() + MAX_MINUTES * 60_000
    try {
      for await (const found of walkMembers(reader, walk)) {
        if (index.length >= maxFiles || Date.now() > untilMs) {
          context.warn('archive.files_cut', `Only the first ${index.length} files are read.`)
          break
        }
        yield* readOne(found, { catalog, form, folder, nextPath, index, report, context })
        context.progress(index.length / Math.max(index.length, reader.members.length))
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    report.send()
    if (index.length === 0) return
    yield { path: INDEX_PATH, mediaType: 'application/json', data: writeJsonFile({ members: index }) }
  },
})

type Reading = {
  catalog: Catalog
  form: 'text' | 'markdown'
  folder: string
  nextPath: (path: string) => string
  index: IndexEntry[]
  report: Report
  context: Context
}

async function* readOne(found: FoundFile, reading: Reading): AsyncGenerator<Artifact> {
  const { catalog, form, folder, nextPath, index, report, context } = reading
  const { name, bytes, path } = found
  const way = findWay(catalog, name, form) ?? findWayByContent(catalog, path, form)
  if (!way) {
    index.push({ name, bytes, status: 'no-text' })
    return
  }
  const entry = { name, bytes, capability: way.capability.id }
  const mismatch = findMismatch(way, path)
  const { texts, warnings, failure } = mismatch
    ? { texts: [], warnings: [], failure: { code: 'extract.source_unreadable', detail: `The file is ${mismatch}.` } }
    : await readMemberText(found, way, folder, context)
  const paths: string[] = []
  for (const { file, mediaType } of texts) {
    const target = nextPath(`text/${withExtension(toArtifactName(name), way)}`)
    paths.push(target)
    yield { path: target, mediaType, file, provenance: { part: name.slice(0, 500) } }
  }
  if (failure) report.add('archive.member_failed', name, failure.code)
  index.push({
    ...entry,
    status: paths.length > 0 ? 'read' : failure ? 'failed' : 'empty',
    ...(paths.length > 0 ? { paths } : {}),
    ...(failure ? { code: failure.code, detail: failure.detail } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  })
}

/** `report.pdf.txt`; a name that ends so already stays as it is. */
const withExtension = (name: string, { capability }: TextWay): string => {
  const extension = capability.output === 'markdown' ? '.md' : '.txt'
  return name.toLowerCase().endsWith(extension) ? name : name + extension
}

/** Whether it is worth taking out: its family gives text, or nothing is known of it and it is small. */
const isReadable = (
  catalog: Catalog,
  name: string,
  { bytes = 0 }: Member,
  form: 'text' | 'markdown',
  report: Report,
): boolean => {
  if (isUnknownName(catalog, name)) return bytes <= MAX_NAMELESS_BYTES
  const way = findWay(catalog, name, form)
  if (!way || way.format.name === 'archive') return false
  if (bytes > MAX_MEMBER_BYTES) report.add('archive.member_too_large', name)
  return bytes <= MAX_MEMBER_BYTES
}
