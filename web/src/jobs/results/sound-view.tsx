import { useState } from 'react'
import type { OutputFile } from '../../../../src/jobs/records.ts'
import { Button } from '../../design/button.tsx'
import { formatBytes, formatNumber } from '../../design/format.ts'
import { FileLink } from './file-link.tsx'
import { Player } from './player.tsx'
import { useResultFiles } from './result-context.ts'
import { findWaveform } from './sort-files.ts'
import { usePlayback } from './use-playback.ts'

const PAGE = 20

/** The sounds of a result, each with its player; the whole one has the shape of the sound over it. */
export const SoundView = ({ files }: { files: readonly OutputFile[] }) => {
  const waveform = findWaveform(useResultFiles())
  const [shown, setShown] = useState(PAGE)
  return (
    <div className="stack">
      {files.slice(0, shown).map((file) => (
        <Sound key={file.path} file={file} waveform={file.path.startsWith('audio/') ? waveform : undefined} />
      ))}
      {files.length > shown && (
        <p>
          <Button onClick={() => setShown(shown + PAGE)}>Show more ({formatNumber(files.length - shown)})</Button>
        </p>
      )}
    </div>
  )
}

const Sound = ({ file, waveform }: { file: OutputFile; waveform: OutputFile | undefined }) => {
  const playback = usePlayback()
  return (
    <figure className="card stack">
      <figcaption className="row between small">
        <FileLink path={file.path} />
        <span className="muted">{formatBytes(file.bytes)}</span>
      </figcaption>
      <Player file={file} playback={playback} waveform={waveform} />
    </figure>
  )
}
