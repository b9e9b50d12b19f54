import type { Context } from '../../core/catalog.ts'

/** What is listed under a name; only files have content that is taken out. */
export type MemberKind = 'file' | 'folder' | 'link' | 'hard-link' | 'special'

/** One member of an archive as the archive describes it. */
export type Member = {
  /** Place in the archive, from 0. */
  readonly index: number
  /** With `/` between folders; as it stands in the archive, so never to be used as a path. */
  readonly name: string
  readonly kind: MemberKind
  readonly bytes?: number
  readonly packedBytes?: number
  /** ISO 8601; without a zone where the format knows none. */
  readonly modified?: string
  readonly mode?: number
  readonly crc32?: number
  readonly method?: string
  readonly isEncrypted: boolean
  /** What a link points at. */
  readonly target?: string
  readonly owner?: string
  readonly group?: string
  readonly comment?: string
}

/** Something that keeps a part of the archive back. */
export type Problem = { readonly code: string; readonly detail: string }

/** Content of one file of the archive; reading it may fail for this member alone. */
export type Content = { readonly member: Member; readonly chunks: AsyncIterable<Buffer> }

/** An archive that has been looked through. */
export type ArchiveReader = {
  /** `zip`, `tar`, `7z`, …; `single` for one file that is only compressed. */
  readonly kind: string
  /** Of the archive as a whole: `gzip` around a tar. */
  readonly compression?: string
  readonly comment?: string
  readonly isSolid?: boolean
  readonly nameEncoding?: string
  readonly members: readonly Member[]
  readonly problems: readonly Problem[]
  /** Which damaged files are still given: those that are cut off, or also those that fail their checksum. */
  readonly keeps: 'cut' | 'damaged'
  /**
   * The content of the wanted files in the order of the archive. Content that is not read is passed over. Ends early,
   * or throws, where nothing more can be read.
   */
  contents(wanted: (member: Member) => boolean, context: Context): AsyncIterable<Content>
}

/** What a reader opens: the source itself, or an archive that lies in it. */
export type ArchiveFile = {
  readonly path: string
  readonly name: string
  readonly extension: string
  readonly bytes: number
  readonly password: string
}
