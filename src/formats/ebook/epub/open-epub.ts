import { JobFailure } from '../../../core/errors.ts'
import { type Archive, type ArchiveLimits, openArchive } from '../../shared/zip/open-archive.ts'
import { findNamed, localName, parseXml } from '../xml.ts'
import { findProtection, type Protection, protectedBy } from './drm.ts'
import { type PackageDocument, readPackageDocument } from './package-document.ts'
import { resolvePath } from './paths.ts'
import { type Navigation, readNav, readNcx } from './read-toc.ts'

/** An EPUB whose package document was read. */
export type EpubFile = {
  archive: Archive
  opf: PackageDocument
  protection: Protection
  /** Content of a file of the book; undefined where it is missing or protected. */
  read(path: string, maximumBytes: number): Promise<Buffer | undefined>
}

const LIMITS: ArchiveLimits = { entries: 30_000, totalBytes: 4 * 1024 ** 3, ratio: 200 }
const MAX_OPF_BYTES = 32 * 1024 ** 2
const LEADS_OUT = /^(?:[/\\]|[A-Za-z]:)|(?:^|[\\/])\.\.(?:[\\/]|$)/

const unreadable = (reason: string, detail: string): JobFailure =>
  new JobFailure('extract.source_unreadable', { reason }, { detail })

/** Opens an EPUB; one that is protected against copying fails. The caller closes the archive. */
export const openEpub = async (path: string): Promise<EpubFile> => {
  const archive = await openArchive(path, LIMITS)
  try {
    if (archive.entries.some(({ name }) => LEADS_OUT.test(name))) {
      throw unreadable('entry-name', 'The file holds parts whose names lead outside of it.')
    }
    const opfPath = await findPackageDocument(archive)
    const entry = opfPath === undefined ? undefined : archive.find(opfPath)
    const protection = await findProtection(archive)
    if (!entry || opfPath === undefined) throw unreadable('no-document', 'The archive holds no EPUB book.')
    if (protection.files.has(opfPath.toLowerCase())) throw protectedBy(protection.scheme)
    const root = await parseXml(await archive.read(entry, MAX_OPF_BYTES))
    if (!root || localName(root) !== 'package') throw unreadable('no-document', 'The archive holds no EPUB book.')
    const opf = readPackageDocument(root, opfPath)
    if (opf.spine.some((item) => protection.files.has(item.path.toLowerCase()))) throw protectedBy(protection.scheme)
    return {
      archive,
      opf,
      protection,
      async read(name, maximumBytes) {
        const found = archive.find(name)
        if (!found || found.isFolder || protection.files.has(name.toLowerCase())) return undefined
        return await archive.read(found, maximumBytes)
      },
    }
  } catch (error) {
    archive.close()
    throw error
  }
}

/** Where the container says the package document is; where it says nothing, the first one there is. */
const findPackageDocument = async (archive: Archive): Promise<string | undefined> => {
  const container = archive.find('META-INF/container.xml')
  if (container) {
    const root = await parseXml(await archive.read(container, MAX_OPF_BYTES)).catch((error: unknown) => {
      if (error instanceof JobFailure && error.code === 'extract.source_unreadable') return undefined
      throw error
    })
    const named = findNamed(root, 'rootfile')?.attributes['full-path']
    const path = named === undefined ? undefined : resolvePath(named, 'root')?.path
    if (path !== undefined && archive.find(path)) return path
  }
  return archive.entries.find(({ name }) => /\.opf$/i.test(name))?.name
}

const NOTHING: Navigation = { toc: [], pages: 0 }

/** The table of contents: of EPUB 3, else of EPUB 2. One that is broken says nothing. */
export const readNavigation = async ({ opf, read }: EpubFile): Promise<Navigation> => {
  const nav = await attempt(opf.navPath, read, readNav)
  if (nav.toc.length > 0) return nav
  const ncx = await attempt(opf.ncxPath, read, readNcx)
  return { toc: ncx.toc, pages: nav.pages || ncx.pages }
}

const attempt = async (
  path: string | undefined,
  read: EpubFile['read'],
  parse: (content: Buffer, path: string) => Promise<Navigation>,
): Promise<Navigation> => {
  if (path === undefined) return NOTHING
  try {
    const content = await read(path, MAX_OPF_BYTES)
    return content ? await parse(content, path) : NOTHING
  } catch (error) {
    if (error instanceof JobFailure && error.code === 'extract.source_unreadable') return NOTHING
    throw error
  }
}
