import type { InferenceSession } from 'onnxruntime-node'

/** Opens a model on one thread: its own threads spin while they wait, and segments run side by side instead. */
export const openSession = async (path: string): Promise<InferenceSession> => {
  const onnx = await import('onnxruntime-node')
  return onnx.InferenceSession.create(path, {
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  })
}
