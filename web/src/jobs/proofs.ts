const STORE = 'quarry.proofs'
const PROOF = /^v1\.(\d{1,12})\.[\w-]+$/

/** Without storage, what a guest owns is known as long as the page lives. */
const memory = new Map<string, string>()

/** Keeps what proves that this visitor owns a job, until it is no longer good. */
export const rememberProof = (jobId: string, proof: string): void => {
  memory.set(jobId, proof)
  try {
    localStorage.setItem(STORE, JSON.stringify({ ...readStored(), [jobId]: proof }))
  } catch {
    // Storage is full or forbidden.
  }
}

/** The proof of a job that this browser made as a guest, if it is still good. */
export const proofOf = (jobId: string): string | undefined => {
  const proof = memory.get(jobId) ?? readStored()[jobId]
  return proof !== undefined && isGood(proof) ? proof : undefined
}

/** Forgets a job that is no more. */
export const forgetProof = (jobId: string): void => {
  memory.delete(jobId)
  try {
    const { [jobId]: _, ...others } = readStored()
    localStorage.setItem(STORE, JSON.stringify(others))
  } catch {
    // Then there is nothing to forget.
  }
}

/** The stored proofs that are still good; the others drop out with the next one that is written. */
const readStored = (): Record<string, string> => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORE) ?? '{}')
    if (typeof stored !== 'object' || stored === null) return {}
    return Object.fromEntries(Object.entries(stored).filter(([, proof]) => typeof proof === 'string' && isGood(proof)))
  } catch {
    return {}
  }
}

const isGood = (proof: string): boolean => {
  const expires = PROOF.exec(proof)?.[1]
  return expires !== undefined && Number(expires) * 1000 > Date.now()
}
