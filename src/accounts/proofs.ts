import { createHmac, timingSafeEqual } from 'node:crypto'

const VERSION = 'v1'

/** What a guest shows to be the owner of one job: signed, and good until a time. */
export const makeProof = (signingKey: Buffer, jobId: string, expiresAt: Date): string => {
  const expires = String(Math.floor(expiresAt.getTime() / 1000))
  return `${VERSION}.${expires}.${sign(signingKey, jobId, expires)}`
}

/** Whether the proof is of this job and still good. */
export const checkProof = (signingKey: Buffer, jobId: string, proof: string, now = new Date()): boolean => {
  const [version, expires = '', signature = '', ...rest] = proof.split('.')
  if (version !== VERSION || rest.length > 0 || !/^\d{1,12}$/.test(expires)) return false
  const [expected, given] = [sign(signingKey, jobId, expires), signature].map((text) => Buffer.from(text)) as [
    Buffer,
    Buffer,
  ]
  return expected.length === given.length && timingSafeEqual(expected, given) && Number(expires) * 1000 > now.getTime()
}

const sign = (signingKey: Buffer, jobId: string, expires: string): string =>
  createHmac('sha256', signingKey).update(`owner-proof\n${jobId}\n${expires}`).digest('base64url')
