import { closeSync, openSync } from 'node:fs'
import { readAt } from '../read-at.ts'

/** Whether a file begins as ZIP archives do. */
export const startsAsZip = (path: string): boolean => {
  const descriptor = openSync(path, 'r')
  try {
    return readAt(descriptor, 0, 2).toString('latin1') === 'PK'
  } finally {
    closeSync(descriptor)
  }
}
