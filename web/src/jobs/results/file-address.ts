import { query } from '../../api/client.ts'

/** A job whose result is looked at, and what lets the visitor look. */
export type ResultSource = { id: string; proof: string | undefined }

/** Where one job is. */
export const jobAddress = ({ id, proof }: ResultSource): string => `/web/jobs/${id}${query({ proof })}`

/** Where one file of a result is. */
export const fileAddress = ({ id, proof }: ResultSource, path: string): string =>
  `/web/jobs/${id}/files/${path.split('/').map(encodeURIComponent).join('/')}${query({ proof })}`

/** Where the whole result is. */
export const zipAddress = ({ id, proof }: ResultSource): string => `/extract/job/${id}/download${query({ proof })}`
