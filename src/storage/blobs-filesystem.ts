import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import {
  copyFile,
  type FileHandle,
  link,
  mkdir,
  open,
  opendir,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Readable } from 'node:stream'
import { type BlobEntry, BlobMissing, type Blobs, checkKey, checkNotEmpty, checkPrefix } from './blob-contract.ts'
import { openRegularFile } from './regular-file.ts'

const CHUNK_BYTES = 256 * 1024
/** Hard links to blobs are handed to the sandbox, which may be another user: all may read, nobody may write. */
const BLOB_MODE = 0o444
const UNFINISHED = '.unfinished'
const UNFINISHED_MAX_AGE_MS = 24 * 60 * 60 * 1000

/** Keeps blobs as files of the same name under a folder that only this service may enter. */
export const openFilesystemBlobs = (folder: string): Blobs => {
  const unfinished = join(folder, UNFINISHED)
  const pathOf = (key: string): string => join(folder, checkKey(key))
  const pathOfPrefix = (prefix: string): string => join(folder, checkPrefix(prefix))

  const openUnfinished = async (): Promise<{ path: string; file: FileHandle }> => {
    const path = join(unfinished, randomBytes(12).toString('hex'))
    const file = await open(path, 'wx', BLOB_MODE).catch(async (error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error
      await mkdir(unfinished, { recursive: true, mode: 0o700 })
      return open(path, 'wx', BLOB_MODE)
    })
    return { path, file }
  }

  /** Gives a finished file its name, on the same filesystem; after a power cut the name is there or not, whole. */
  const publish = async (from: string, key: string): Promise<void> => {
    const path = pathOf(key)
    // Folders are made when they are missed, which is once; a delete may also have just taken an empty one away.
    for (let attempt = 1, firstMade: string | undefined; ; attempt++) {
      try {
        await rename(from, path)
        await syncFolders(dirname(path), firstMade === undefined ? dirname(path) : dirname(firstMade))
        return
      } catch (error) {
        if (codeOf(error) !== 'ENOENT' || attempt === 5 || !(await exists(from))) throw error
        firstMade = (await mkdir(dirname(path), { recursive: true, mode: 0o700 })) ?? firstMade
      }
    }
  }

  const writeUnfinished = async (write: (file: FileHandle) => Promise<void>): Promise<string> => {
    const { path, file } = await openUnfinished()
    try {
      await write(file)
      await file.sync()
      await file.close()
      return path
    } catch (error) {
      await file.close().catch(() => {})
      await rm(path, { force: true })
      throw error
    }
  }

  return {
    async putFile(key, path) {
      pathOf(key)
      const { file, stats } = await openRegularFile(path)
      try {
        await seal(file, stats)
        await publish(path, key).catch(async (error: unknown) => {
          if (codeOf(error) !== 'EXDEV') throw error
          const copied = await writeUnfinished(async (target) => {
            await copyInto(target, file.createReadStream(STREAM_KEPT_OPEN))
          })
          await publish(copied, key)
          await rm(path)
        })
      } finally {
        await file.close()
      }
    },

    async putStream(key, stream) {
      pathOf(key)
      let bytes = 0
      const path = await writeUnfinished(async (file) => {
        bytes = await copyInto(file, stream)
      })
      await publish(path, key)
      return { bytes }
    },

    async open(key, range) {
      try {
        // Opened here and not by the stream: once handed out, a delete does not cut the download.
        const file = await open(pathOf(key), 'r')
        return file.createReadStream({ ...range, highWaterMark: CHUNK_BYTES })
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined
        throw error
      }
    },

    async fetchTo(key, path) {
      try {
        await link(pathOf(key), path).catch(async (error: unknown) => {
          if (codeOf(error) !== 'EEXIST') throw error
          await rm(path, { force: true })
          await link(pathOf(key), path)
        })
      } catch (error) {
        if (codeOf(error) === 'ENOENT' && !(await exists(pathOf(key)))) throw new BlobMissing(key)
        if (!CANNOT_LINK.has(codeOf(error))) throw error
        await copyFile(pathOf(key), path, constants.COPYFILE_FICLONE).catch((copyError: unknown) => {
          throw codeOf(copyError) === 'ENOENT' ? new BlobMissing(key) : copyError
        })
      }
    },

    async delete(key) {
      const path = pathOf(key)
      await unlink(path).catch((error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw error
      })
      await removeEmptyFolders(dirname(path), folder)
    },

    async deleteAll(prefix) {
      const path = pathOfPrefix(checkNotEmpty(prefix))
      await rm(path, { recursive: true, force: true })
      await removeEmptyFolders(dirname(path), folder)
    },

    async *list(prefix) {
      yield* walk(pathOfPrefix(prefix), folder)
    },

    async check() {
      await rm(await writeUnfinished((file) => file.writeFile('check')))
      await removeAbandoned(unfinished)
    },
  }
}

const STREAM_KEPT_OPEN = { autoClose: false, start: 0, highWaterMark: CHUNK_BYTES } as const
const CANNOT_LINK = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP'])

const copyInto = async (file: FileHandle, chunks: Readable | AsyncIterable<Uint8Array>): Promise<number> => {
  let bytes = 0
  for await (const chunk of chunks as AsyncIterable<Uint8Array>) {
    for (let done = 0; done < chunk.byteLength; ) {
      done += (await file.write(chunk, done, chunk.byteLength - done)).bytesWritten
    }
    bytes += chunk.byteLength
  }
  return bytes
}

/** Makes the content durable and ours alone: a sandbox user that wrote the file could otherwise change it still. */
const seal = async (file: FileHandle, { uid, mode }: Stats): Promise<void> => {
  if (process.getuid?.() === 0 && uid !== 0) await file.chown(0, 0)
  if ((mode & 0o777) !== BLOB_MODE) await file.chmod(BLOB_MODE)
  await file.sync()
}

/** Makes new names durable, from the folder of the file up to the one that held the first new folder. */
const syncFolders = async (lowest: string, highest: string): Promise<void> => {
  for (let path = lowest; ; path = dirname(path)) {
    const folder = await open(path, 'r')
    await folder.sync().finally(() => folder.close())
    if (path === highest || path === dirname(path)) return
  }
}

const removeEmptyFolders = async (from: string, root: string): Promise<void> => {
  // The first level stays: it is always in use again soon.
  for (let path = from; relative(root, path).includes('/'); path = dirname(path)) {
    try {
      await rmdir(path)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') return
    }
  }
}

async function* walk(path: string, root: string): AsyncGenerator<BlobEntry> {
  const entries = await opendir(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  for await (const entry of entries ?? []) {
    if (entry.name.startsWith('.')) continue
    const child = join(path, entry.name)
    if (entry.isDirectory()) yield* walk(child, root)
    else {
      const found = await stat(child).catch(() => undefined)
      if (found) yield { key: relative(root, child), bytes: found.size, modifiedAt: found.mtime }
    }
  }
}

/** What a killed process left half written. */
const removeAbandoned = async (unfinished: string): Promise<void> => {
  for await (const entry of await opendir(unfinished)) {
    const path = join(unfinished, entry.name)
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > UNFINISHED_MAX_AGE_MS) await rm(path, { force: true })
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? ''
