import { fileURLToPath } from 'node:url'

export const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
/** Families that exist only for tests: priced on every metric, or up to mischief. */
export const TEST_FORMATS = fileURLToPath(new URL('../formats', import.meta.url))
