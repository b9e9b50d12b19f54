import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where set-up puts the weights; children may read it. */
export const MODELS_FOLDER = fileURLToPath(new URL('../../../models/', import.meta.url)).replace(/\/$/, '')

/** The files of the built-in speech recognition, by what they are for. */
export const MODEL_FILES = {
  speech: 'silero-vad.onnx',
  'tiny encoder': 'moonshine-tiny/encoder.onnx',
  'tiny decoder': 'moonshine-tiny/decoder.onnx',
  'base encoder': 'moonshine-base/encoder.onnx',
  'base decoder': 'moonshine-base/decoder.onnx',
  'voice frames': 'voices/frames.onnx',
  'voice projection': 'voices/projection.f32',
} as const
export type ModelName = keyof typeof MODEL_FILES

/** The path of a model's file. */
export const modelPath = (name: ModelName): string => join(MODELS_FOLDER, MODEL_FILES[name])

/** Whether these models are in place. */
export const hasModels = (names: readonly ModelName[]): boolean => names.every((name) => existsSync(modelPath(name)))
