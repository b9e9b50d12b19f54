import { JobFailure } from '../../../core/errors.ts'
import { type MediaFacts, probeMedia } from '../../../engines/ffprobe.ts'
import { measureDuration, playingStreams } from '../../../engines/ffprobe-duration.ts'
import { keepAlive } from '../keep-alive.ts'
import { perSource } from '../per-source.ts'

/** What a media file holds, with its true length. */
export type Media = MediaFacts & { durationSeconds: number }

/** Probes a source once per job. A file with neither sound nor film is `extract.source_unreadable`. */
export const readMedia = perSource(
  (source, context): Promise<Media> =>
    keepAlive(context, async () => {
      const facts = await probeMedia(source.path, context)
      if (playingStreams(facts).length === 0) {
        throw new JobFailure('extract.source_unreadable', {}, { detail: 'The file holds neither sound nor film.' })
      }
      return { ...facts, durationSeconds: await measureDuration(source.path, facts, context) }
    }),
)
