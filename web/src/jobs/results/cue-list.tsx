import { type MouseEvent, memo, useEffect, useMemo, useRef } from 'react'
import { formatDuration } from '../../design/format.ts'
import { type Cue, findCue, groupCues, type Paragraph } from './parse-cues.ts'
import { ScrollFrame } from './scroll-frame.tsx'
import styles from './sound.module.css'
import type { Playback } from './use-playback.ts'

/** What is said, in paragraphs with their times; with a player, it follows and can be sent to any place. */
export const CueList = ({
  cues,
  label,
  playback,
  follows = false,
}: {
  cues: readonly Cue[]
  label: string
  playback?: Playback | undefined
  follows?: boolean
}) => {
  const paragraphs = useMemo(() => groupCues(cues), [cues])
  const frame = useRef<HTMLDivElement>(null)
  const current = playback ? findCue(cues, playback.seconds) : -1
  const isMoving = playback !== undefined && (playback.isPlaying || playback.seconds > 0)
  const marked = isMoving ? current : -1
  const playFrom = playback?.playFrom
  useEffect(() => {
    if (follows && marked >= 0) keepInView(frame.current, marked)
  }, [follows, marked])
  const onClick = (event: MouseEvent) => {
    const index = (event.target as Element).closest('[data-cue]')?.getAttribute('data-cue')
    const cue = index == null ? undefined : cues[Number(index)]
    if (cue && getSelection()?.isCollapsed !== false) playFrom?.(cue.startSeconds)
  }
  return (
    <ScrollFrame ref={frame} label={label} className={`card ${styles.transcript}`}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the mouse; keys have the times */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above */}
      <div onClick={playFrom ? onClick : undefined}>
        {paragraphs.map((paragraph) => (
          <ParagraphOfCues
            key={paragraph.firstIndex}
            paragraph={paragraph}
            marked={isInside(paragraph, marked) ? marked : -1}
            playFrom={playFrom}
          />
        ))}
      </div>
    </ScrollFrame>
  )
}

const isInside = ({ firstIndex, cues }: Paragraph, index: number): boolean =>
  index >= firstIndex && index < firstIndex + cues.length

/** Scrolls inside the frame alone: the page stays where its reader has put it. */
const keepInView = (frame: HTMLElement | null, index: number): void => {
  const cue = frame?.querySelector<HTMLElement>(`[data-cue="${index}"]`)
  if (!frame || !cue) return
  const box = cue.getBoundingClientRect()
  const around = frame.getBoundingClientRect()
  if (box.top >= around.top + 24 && box.bottom <= around.bottom - 24) return
  frame.scrollTo({ top: frame.scrollTop + box.top - around.top - frame.clientHeight / 3, behavior: 'smooth' })
}

// Thousands of paragraphs stand still while one goes on.
const ParagraphOfCues = memo(
  ({
    paragraph: { speaker, firstIndex, cues },
    marked,
    playFrom,
  }: {
    paragraph: Paragraph
    marked: number
    playFrom: ((seconds: number) => void) | undefined
  }) => {
    const startSeconds = cues[0]?.startSeconds ?? 0
    const time = formatDuration(Math.floor(startSeconds))
    return (
      <div className={styles.paragraph}>
        {playFrom ? (
          <button
            type="button"
            className={styles.time}
            onClick={() => playFrom(startSeconds)}
            aria-label={`Play from ${time}`}
          >
            {time}
          </button>
        ) : (
          <span className={styles.time}>{time}</span>
        )}
        <div dir="auto">
          {speaker && <span className={styles.speaker}>{speaker}</span>}
          {cues.map((cue, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: cues never change
            <span key={index}>
              <span
                className={styles.cue}
                data-cue={firstIndex + index}
                data-seekable={playFrom ? true : undefined}
                aria-current={marked === firstIndex + index ? 'true' : undefined}
              >
                {cue.text}
              </span>{' '}
            </span>
          ))}
        </div>
      </div>
    )
  },
)
