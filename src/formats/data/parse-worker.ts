import { parentPort, workerData } from 'node:worker_threads'
import { convertToJson, type ParsedKind } from './parse-text.ts'

const { text, kind } = workerData as { text: string; kind: ParsedKind }
parentPort?.postMessage(convertToJson(text, kind))
