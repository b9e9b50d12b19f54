import type { OutputFile } from '../../../../src/jobs/records.ts'
import { ErrorNotice, Loading } from '../../design/feedback.tsx'
import { CueList } from './cue-list.tsx'
import { TextView } from './text-view.tsx'
import { useCues } from './transcript-view.tsx'

/** Subtitles as they follow each other. */
export const SubtitlesView = ({ file }: { file: OutputFile }) => {
  const { cues, error } = useCues(file)
  if (error !== undefined) return <ErrorNotice error={error} />
  if (!cues) return <Loading />
  return cues.length === 0 ? <TextView file={file} /> : <CueList cues={cues} label={`Subtitles ${file.path}`} />
}
