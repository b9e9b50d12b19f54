import type { Ref } from 'react'
import type { OutputFile } from '../../../../src/jobs/records.ts'
import { Loading } from '../../design/feedback.tsx'
import styles from './sound.module.css'
import type { Playback } from './use-playback.ts'
import { useSoundAddress } from './use-sound.ts'
import { WaveformBar } from './waveform-bar.tsx'

/** The player of one sound of the result. */
export const Player = ({
  file,
  playback,
  waveform,
}: {
  file: OutputFile
  playback: Playback
  waveform?: OutputFile | undefined
}) => {
  const address = useSoundAddress(file)
  return address ? (
    <SoundPlayer address={address} label={file.path} playback={playback} waveform={waveform} />
  ) : (
    <Loading what="Loading the sound" />
  )
}

/** A player at an address, with the shape of the sound over it where that is known. */
export const SoundPlayer = ({
  address,
  label,
  playback,
  waveform,
}: {
  address: string
  label: string
  playback: Playback
  waveform?: OutputFile | undefined
}) => (
  <div className={styles.player}>
    {waveform && <WaveformBar file={waveform} playback={playback} />}
    {/* biome-ignore lint/a11y/useMediaCaption: what is said stands beside it as text, where it was asked for */}
    <audio ref={playback.ref as Ref<HTMLAudioElement>} controls preload="metadata" src={address} aria-label={label} />
  </div>
)
