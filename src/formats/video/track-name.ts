import type { StreamFacts } from '../../engines/ffprobe.ts'

/** What tells one track from the others in the name of a file: `track-02-eng-forced`. */
export const trackName = ({ language, isForced, dispositions }: StreamFacts, number: number): string =>
  [
    `track-${String(number).padStart(2, '0')}`,
    language?.toLowerCase().replace(/[^a-z0-9-]/g, ''),
    isForced ? 'forced' : undefined,
    dispositions.includes('hearing_impaired') ? 'sdh' : undefined,
    dispositions.includes('comment') ? 'comment' : undefined,
  ]
    .filter(Boolean)
    .join('-')
