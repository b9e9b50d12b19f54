import { type KeyboardEvent, type PointerEvent, useId, useMemo } from 'react'
import type { OutputFile } from '../../../../src/jobs/records.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { formatDuration } from '../../design/format.ts'
import { useFileAddress } from './result-context.ts'
import styles from './sound.module.css'
import type { Playback } from './use-playback.ts'

type Waveform = { durationSeconds: number; min: number[]; max: number[] }

const BARS = 400
const HEIGHT = 100
const STEP_SECONDS = 5

/** The shape of a sound; where one presses is where it plays on. */
export const WaveformBar = ({ file, playback }: { file: OutputFile; playback: Playback }) => {
  const address = useFileAddress()
  const clip = useId()
  const { data } = useAnswer<Waveform>(address(file.path))
  const path = useMemo(() => data && drawBars(data), [data])
  if (!data || !path) return null
  const { durationSeconds } = data
  const { seconds, seek } = playback
  const onPointer = (event: PointerEvent<HTMLDivElement>) => {
    if (event.buttons !== 1) return
    const { left, width } = event.currentTarget.getBoundingClientRect()
    seek(((event.clientX - left) / width) * durationSeconds)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const target = {
      ...{ ArrowRight: seconds + STEP_SECONDS, ArrowUp: seconds + STEP_SECONDS },
      ...{ ArrowLeft: seconds - STEP_SECONDS, ArrowDown: seconds - STEP_SECONDS },
      ...{ PageUp: seconds + 6 * STEP_SECONDS, PageDown: seconds - 6 * STEP_SECONDS, Home: 0, End: durationSeconds },
    }[event.key]
    if (target === undefined) return
    event.preventDefault()
    seek(target)
  }
  return (
    <div
      className={styles.waveform}
      role="slider"
      tabIndex={0}
      aria-label="Place in the sound"
      aria-valuemin={0}
      aria-valuemax={Math.round(durationSeconds)}
      aria-valuenow={Math.round(seconds)}
      aria-valuetext={`${formatDuration(seconds)} of ${formatDuration(durationSeconds)}`}
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      onKeyDown={onKeyDown}
    >
      <svg viewBox={`0 0 ${BARS} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <clipPath id={clip}>
          <rect width={durationSeconds > 0 ? (seconds / durationSeconds) * BARS : 0} height={HEIGHT} />
        </clipPath>
        <path d={path} className={styles.ahead} />
        <path d={path} className={styles.played} clipPath={`url(#${clip})`} />
      </svg>
    </div>
  )
}

/** One line from the least to the greatest level for each bar. */
const drawBars = ({ min, max }: Waveform): string => {
  const bars = Math.min(BARS, max.length)
  const loudest = Math.max(0.05, ...max.map(Math.abs), ...min.map(Math.abs))
  const toY = (level: number) => (HEIGHT / 2 - (level / loudest) * (HEIGHT / 2 - 2)).toFixed(1)
  let path = ''
  for (let bar = 0; bar < bars; bar++) {
    const from = Math.floor((bar * max.length) / bars)
    const to = Math.max(from + 1, Math.floor(((bar + 1) * max.length) / bars))
    const x = (((bar + 0.5) * BARS) / bars).toFixed(1)
    const high = Math.max(0.01 * loudest, ...max.slice(from, to))
    const low = Math.min(-0.01 * loudest, ...min.slice(from, to))
    path += `M${x} ${toY(high)}V${toY(low)}`
  }
  return path
}
