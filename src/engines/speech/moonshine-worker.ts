import { parentPort, workerData } from 'node:worker_threads'
import { type MoonshineSize, openMoonshine } from './moonshine.ts'

/** A thread that hears one piece of sound after the other. */

export type HearMessage = { id: number; samples: Float32Array }

const recognizer = openMoonshine((workerData as { size: MoonshineSize }).size)
const never = new AbortController().signal

parentPort?.on('message', async ({ id, samples }: HearMessage) => {
  try {
    const { hear } = await recognizer
    parentPort?.postMessage({ id, heard: await hear(samples, never) })
  } catch (error) {
    parentPort?.postMessage({ id, failure: String((error as Error).stack) })
  }
})
