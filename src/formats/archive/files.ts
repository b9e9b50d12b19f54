import { splitFileName, uniquePaths } from '../../core/artifact-names.ts'
import { type Context, defineCapability } from '../../core/catalog.ts'
import { passwordOption } from '../shared/password-option.ts'
import { chooseNames } from './choose-names.ts'
import { hasArchiveName } from './kinds.ts'
import { createBudget, MAX_DEPTH } from './limits.ts'
import { toArtifactName } from './names.ts'
import { openSource } from './open.ts'
import { maxFilesOption, nameOptions } from './options.ts'
import { createReport } from './report.ts'
import { walkMembers } from './walk-members.ts'

/** The files in the archive. */
export const files = defineCapability({
  id: 'archive.files',
  output: 'files',
  defaultSelected: true,
  detail: 'The files as they are, in their folders. Links, devices and names that lead outside are left out.',
  options: {
    password: passwordOption,
    ...nameOptions,
    maxFiles: maxFilesOption,
    depth: {
      type: 'integer',
      min: 0,
      max: MAX_DEPTH,
      defaultValue: 0,
      detail: 'How many levels of archives inside the archive are unpacked too, each as a folder.',
    },
  },
  async *extract(source, { password, include, exclude, maxFiles, depth }, context) {
    const reader = await openSource(source, password, context)
    const isChosen = chooseNames({ include, exclude })
    const report = createReport(context)
    const nextPath = uniquePaths()
    const mediaTypeOf = createMediaTypes(context)
    const walk = {
      context,
      budget: createBudget(source.bytes),
      report,
      password,
      maxDepth: depth,
      // They are given as files.
      tellsOfDeep: false,
      wants: isChosen,
      isArchive: hasArchiveName,
    }
    let taken = 0
    for await (const { name, path, member } of walkMembers(reader, walk)) {
      if (taken >= maxFiles) {
        context.warn('archive.files_cut', `Only the first ${maxFiles} files are taken.`)
        break
      }
      yield {
        path: nextPath(`files/${toArtifactName(name)}`),
        mediaType: mediaTypeOf(name),
        file: path,
        provenance: { part: member.name.slice(0, 500) },
      }
      taken += 1
      context.progress(taken / Math.max(taken, reader.members.length))
    }
    report.send()
  },
})

/** The media type that the catalog has for an extension. */
const createMediaTypes =
  ({ catalog }: Context) =>
  (name: string): string => {
    const { extension } = splitFileName(name.split('/').at(-1) ?? '')
    return catalog?.byExtension.get(extension)?.mimeTypes[extension]?.[0] ?? 'application/octet-stream'
  }
