/** Where the bytes of a job lie in the blob store. */
export const UPLOADS = 'uploads/'
export const RESULTS = 'results/'
export const uploadKey = (jobId: string): string => `${UPLOADS}${jobId}`
/** Each attempt writes its own file: a worker that was given up for lost cannot spoil the result of the next. */
export const resultKey = (jobId: string, attempt: number): string => `${RESULTS}${jobId}-${attempt}.zip`
/** The job that a key belongs to. */
export const jobIdOfKey = (key: string): string => key.slice(key.indexOf('/') + 1).slice(0, 32)
