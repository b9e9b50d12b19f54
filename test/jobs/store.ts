import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openBlobs } from '../../src/storage/blobs.ts'
import type { TestService } from '../support/service.ts'
import { waitFor } from '../support/wait.ts'

/** The blob store of a service under test. */
export const blobsOf = (service: TestService) =>
  openBlobs({ kind: 'filesystem', folder: join(service.dataFolder, 'blobs') })

/** Keys of everything the service keeps under a prefix. */
export const listKeys = async (service: TestService, prefix: 'uploads/' | 'results/'): Promise<string[]> =>
  (await Array.fromAsync(blobsOf(service).list(prefix))).map(({ key }) => key).sort()

/** Files in the scratch folders of all processes: uploads on their way and attempts at work. */
export const listScratch = (service: TestService): string[] => {
  const folder = join(service.dataFolder, 'work')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Waits until a job is in the state, as the database sees it. */
export const waitForState = (service: TestService, jobId: string, state: string, timeoutMs = 30_000) =>
  waitFor(
    `${jobId} to be ${state}`,
    async () =>
      (
        await service.database.query<{ attempt: number }>('select attempt from jobs where id = $1 and state = $2', [
          jobId,
          state,
        ])
      )[0],
    timeoutMs,
  )
