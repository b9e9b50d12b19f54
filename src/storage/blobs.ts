import type { Blobs } from './blob-contract.ts'
import { openFilesystemBlobs } from './blobs-filesystem.ts'
import { openS3Blobs, type S3Settings } from './blobs-s3.ts'

export { BlobMissing, type Blobs, type ByteRange } from './blob-contract.ts'

/** Which store the configuration names. */
export type BlobSettings = { kind: 'filesystem'; folder: string } | ({ kind: 's3' } & S3Settings)

/** Opens the store that the settings choose; nothing is touched before the first call. */
export const openBlobs = (settings: BlobSettings): Blobs =>
  settings.kind === 's3' ? openS3Blobs(settings) : openFilesystemBlobs(settings.folder)
