import { splitFileName } from '../../core/artifact-names.ts'

/** Every extension of the family with its MIME types. */
export const MIME_TYPES = {
  zip: ['application/zip'],
  tar: ['application/x-tar'],
  gz: ['application/gzip'],
  tgz: ['application/gzip'],
  bz2: ['application/x-bzip2'],
  tbz: ['application/x-bzip2'],
  tbz2: ['application/x-bzip2'],
  xz: ['application/x-xz'],
  txz: ['application/x-xz'],
  zst: ['application/zstd'],
  tzst: ['application/zstd'],
  '7z': ['application/x-7z-compressed'],
  rar: ['application/vnd.rar'],
  iso: ['application/x-iso9660-image'],
  cab: ['application/vnd.ms-cab-compressed'],
  jar: ['application/java-archive'],
  war: ['application/java-archive'],
  apk: ['application/vnd.android.package-archive'],
} as const satisfies Record<string, readonly string[]>

export const EXTENSIONS = Object.keys(MIME_TYPES)

/** Extensions that cannot be read without a program. */
export const BY_SEVEN_ZIP = ['7z', 'iso', 'cab', 'bz2', 'tbz', 'tbz2', 'xz', 'txz'] as const
export const BY_UNAR = ['rar'] as const

/** Whether a file is an archive by its name. */
export const hasArchiveName = (name: string): boolean =>
  Object.hasOwn(MIME_TYPES, splitFileName(name.split('/').at(-1) ?? '').extension)
