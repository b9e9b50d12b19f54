import { useMemo, useState } from 'react'
import type { OutputFile } from '../../../../src/jobs/records.ts'
import { ErrorNotice, Loading } from '../../design/feedback.tsx'
import { CheckField } from '../../design/field.tsx'
import { CueList } from './cue-list.tsx'
import { CutNote } from './cut-note.tsx'
import { FileLink } from './file-link.tsx'
import { type Cue, parseCues } from './parse-cues.ts'
import { Player, SoundPlayer } from './player.tsx'
import { useText } from './read-text.ts'
import { useFileAddress, useResultFiles } from './result-context.ts'
import { extensionOf, findTranscript, findWaveform, kindOf } from './sort-files.ts'
import { TextView } from './text-view.tsx'
import { usePlayback } from './use-playback.ts'
import { useBlobAddress } from './use-sound.ts'

const MAX_BYTES = 12_000_000

/** What was said, beside the sound of it: where it plays is marked, and a press on a place plays it from there. */
export const TranscriptView = ({
  files,
  recording,
}: {
  files: readonly OutputFile[]
  recording?: Blob | undefined
}) => {
  const playback = usePlayback()
  const [follows, setFollows] = useState(true)
  const waveform = findWaveform(useResultFiles())
  const local = useBlobAddress(recording)
  const sound = files.find(({ path }) => kindOf(path) === 'sound')
  const transcript = findTranscript(files)
  const hasSound = sound !== undefined || local !== undefined
  return (
    <div className="stack">
      {sound ? (
        <Player file={sound} playback={playback} waveform={waveform} />
      ) : (
        local && <SoundPlayer address={local} label="The recording" playback={playback} waveform={waveform} />
      )}
      {hasSound && (
        <CheckField
          label="Scroll along while it plays"
          checked={follows}
          onChange={(event) => setFollows(event.target.checked)}
        />
      )}
      {transcript &&
        (extensionOf(transcript.path) === 'txt' ? (
          <TextView file={transcript} />
        ) : (
          <Spoken file={transcript} playback={hasSound ? playback : undefined} follows={follows} />
        ))}
      <p className="row small">
        <span className="muted">As a file:</span>
        {files
          .filter(({ path }) => path.startsWith('transcript.'))
          .map(({ path }) => (
            <FileLink key={path} path={path} label={extensionOf(path).toUpperCase()} />
          ))}
      </p>
    </div>
  )
}

const Spoken = ({
  file,
  playback,
  follows,
}: {
  file: OutputFile
  playback: ReturnType<typeof usePlayback> | undefined
  follows: boolean
}) => {
  const { cues, error, isCut } = useCues(file)
  if (error !== undefined) return <ErrorNotice error={error} />
  if (!cues) return <Loading />
  return (
    <>
      {isCut && <CutNote file={file} shownBytes={MAX_BYTES} />}
      <CueList cues={cues} label="Transcript" playback={playback} follows={follows} />
    </>
  )
}

/** The cues of a file of subtitles or of a transcript. */
export const useCues = (file: OutputFile): { cues: Cue[] | undefined; error: unknown; isCut: boolean } => {
  const address = useFileAddress()
  const { read, error } = useText(address(file.path), MAX_BYTES)
  const parsed = useMemo(() => {
    try {
      return { cues: read && parseCues(read.text, extensionOf(file.path)) }
    } catch (cause) {
      return { cues: undefined, error: cause }
    }
  }, [read, file.path])
  return { cues: parsed.cues, error: error ?? parsed.error, isCut: read?.isCut ?? false }
}
