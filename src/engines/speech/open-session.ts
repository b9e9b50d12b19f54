import type { InferenceSession } from 'onnxruntime-node'

/**
 * Opens a model on one thread: its own threads spin while they wait, and segments run side by side instead. What a
 * model works in is kept for its next run unless told, which is much faster for one that runs for every word.
 */
export const openSession = async (path: string, { keepsMemory = true } = {}): Promise<InferenceSession> => {
  const onnx = await import('onnxruntime-node')
  return onnx.InferenceSession.create(path, {
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
    enableCpuMemArena: keepsMemory,
    enableMemPattern: keepsMemory,
  })
}
