import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'

/**
 * Runs one of our processes at a time through `work`. The kernel holds the lock on an open file, so it is free the
 * moment its holder ends, however it ends; a file with a process id in it would have to be judged stale.
 */
export const withFileLock = async <T>(path: string, work: () => Promise<T>, timeoutSeconds = 120): Promise<T> => {
  const file = await open(path, 'a', 0o600)
  try {
    // Node has no flock(2). The program locks the file that it inherits, and the lock stays on our descriptor.
    const flock = spawn('flock', ['--exclusive', '--timeout', String(timeoutSeconds), '3'], {
      stdio: ['ignore', 'ignore', 'ignore', file.fd],
    })
    const [code] = (await once(flock, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`Another process has held ${path} for ${timeoutSeconds} seconds.`)
    return await work()
  } finally {
    await file.close()
  }
}
