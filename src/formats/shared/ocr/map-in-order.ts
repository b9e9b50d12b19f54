import { availableParallelism } from 'node:os'

/** Pages read at once: as many as there are cores, as long as they fit into a job's memory. */
export const PAGES_AT_ONCE = Math.min(4, availableParallelism())

/** Works on several items at once and gives the results in the order of the items. */
export async function* mapInOrder<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = []
  try {
    for await (const item of items) {
      const task = work(item)
      // Whoever waits for it sees the error; until then it must not end the process.
      task.catch(() => {})
      running.push(task)
      if (running.length >= atOnce) yield await (running.shift() as Promise<R>)
    }
    while (running.length > 0) yield await (running.shift() as Promise<R>)
  } finally {
    await Promise.allSettled(running)
  }
}
