/** What a file is measured by. The service measures the truth itself; `/estimate` takes the client's word. */
export type Metrics = {
  bytes: number
  durationSeconds?: number
  pages?: number
  slides?: number
  sheets?: number
  frames?: number
}

export const BYTES_PER_MB = 1_048_576

/** The things a price term can count. */
export type PriceMetric = 'megabytes' | 'minutes' | 'pages' | 'slides' | 'sheets' | 'frames' | 'files'

type MetricFacts = {
  /** One of these on the bill. */
  unit: string
  /** The amount in a measured file; undefined when nobody measured it. */
  read: (metrics: Metrics) => number | undefined
  /** The fields of `/estimate` that supply it, the stronger first. */
  fields: readonly string[]
  /** How the 422 of `/estimate` names it when it is missing. */
  missingAs: string
  /** Set for units of a document: the kind of unit. */
  documentUnitKind?: string
}

const documentUnits = (unit: string, key: 'pages' | 'slides' | 'sheets'): MetricFacts => ({
  unit,
  read: (metrics) => metrics[key],
  fields: [`${unit}Count`, 'documentUnitCount'],
  missingAs: 'documentUnits',
  documentUnitKind: key,
})

export const PRICE_METRICS: Record<PriceMetric, MetricFacts> = {
  megabytes: {
    unit: 'megabyte',
    read: (metrics) => metrics.bytes / BYTES_PER_MB,
    fields: ['fileSizeBytes', 'fileSizeMb'],
    missingAs: 'fileSize',
  },
  minutes: {
    unit: 'minute',
    read: (metrics) => (metrics.durationSeconds === undefined ? undefined : metrics.durationSeconds / 60),
    fields: ['durationSeconds', 'durationMinutes'],
    missingAs: 'duration',
  },
  pages: documentUnits('page', 'pages'),
  slides: documentUnits('slide', 'slides'),
  sheets: documentUnits('sheet', 'sheets'),
  /** A job has one file: a flat price. */
  files: { unit: 'file', read: () => 1, fields: [], missingAs: 'file' },
  frames: { unit: 'frame', read: (metrics) => metrics.frames, fields: ['frameCount'], missingAs: 'frames' },
}
