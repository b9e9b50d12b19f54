import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Heard, MoonshineSize, Recognizer } from './moonshine.ts'

type Answer = { id: number; heard: Heard } | { id: number; failure: string }
type Task = { samples: Float32Array; resolve(heard: Heard): void; reject(error: Error): void }
type Thread = { worker: Worker; task: Task | undefined }

const opened = new Map<MoonshineSize, Recognizer>()

/** A recognizer that hears as many pieces at once as there are cores; its threads are kept for the next recording. */
export const openRecognizer = (size: MoonshineSize): Recognizer => {
  const known = opened.get(size) ?? createRecognizer(size)
  opened.set(size, known)
  return known
}

/** The runtime of the models works in the thread that calls it, so each core has a thread and a model of its own. */
const createRecognizer = (size: MoonshineSize): Recognizer => {
  const threads: Thread[] = []
  const waiting: Task[] = []

  const startThread = (): Thread => {
    const worker = new Worker(new URL('moonshine-worker.ts', import.meta.url), {
      workerData: { size },
      // Its garbage is large and outside of the heap, so a small one is what makes it be collected.
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 },
    })
    const thread: Thread = { worker, task: undefined }
    worker.on('message', (answer: Answer) => {
      const { task } = thread
      thread.task = undefined
      worker.unref()
      if ('heard' in answer) task?.resolve(answer.heard)
      else task?.reject(new Error(answer.failure))
      next()
    })
    worker.on('error', (error: Error) => {
      threads.splice(threads.indexOf(thread), 1)
      thread.task?.reject(error)
      next()
    })
    threads.push(thread)
    return thread
  }

  /** Gives work to a thread that has none, or to a new one while there are cores for it. */
  const next = (): void => {
    while (waiting.length > 0) {
      const idle = threads.find(({ task }) => task === undefined)
      const thread = idle ?? (threads.length < availableParallelism() ? startThread() : undefined)
      if (!thread) return
      const task = waiting.shift() as Task
      thread.task = task
      thread.worker.ref()
      thread.worker.postMessage({ id: 0, samples: task.samples }, [task.samples.buffer as ArrayBuffer])
    }
  }

  return {
    async hear(samples, signal) {
      signal.throwIfAborted()
      const heard = await new Promise<Heard>((resolve, reject) => {
        waiting.push({ samples, resolve, reject })
        next()
      })
      signal.throwIfAborted()
      return heard
    },
  }
}
