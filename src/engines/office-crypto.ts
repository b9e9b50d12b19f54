import { JobFailure } from '../core/errors.ts'

/** Decrypts a workbook of Excel 97 to 2003, whole and in memory. */
export const decryptWorkbook = async (bytes: Buffer, password: string): Promise<Buffer | 'wrong-password'> => {
  const { default: tool } = await import('officecrypto-tool')
  try {
    return await tool.decrypt(bytes, { password })
  } catch (error) {
    if (/password is incorrect/i.test(String(error))) return 'wrong-password'
    throw new JobFailure('extract.source_unreadable', { reason: 'encryption' }, { cause: error })
  }
}
