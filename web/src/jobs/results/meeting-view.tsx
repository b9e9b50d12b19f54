import type { ReactNode } from 'react'
import type { OutputFile } from '../../../../src/jobs/records.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Badge, ErrorNotice, Loading, Notice } from '../../design/feedback.tsx'
import { formatDuration } from '../../design/format.ts'
import styles from './meeting.module.css'
import { Player } from './player.tsx'
import { useFileAddress, useResultFiles } from './result-context.ts'
import { findWaveform, kindOf } from './sort-files.ts'
import soundStyles from './sound.module.css'
import { usePlayback } from './use-playback.ts'

type Finding = { text: string; speaker: string | null; startSeconds: number }
/** What of `meeting-analysis.json` is shown. */
type MeetingAnalysis = {
  summary: Finding[]
  topics: { label: string; keywords: string[]; startSeconds: number; endSeconds: number }[]
  decisions: Finding[]
  actionItems: (Finding & { owner: string | null; due: { text: string; date: string | null } | null })[]
  openQuestions: Finding[]
  keyQuotes: Finding[]
  speakers: { speaker: string; talkSeconds: number; talkShare: number; turns: number }[]
  notes: string[]
}

/** What a meeting came to. */
export const MeetingView = ({ file }: { file: OutputFile }) => {
  const address = useFileAddress()
  const { data, error } = useAnswer<MeetingAnalysis>(address(file.path))
  const playback = usePlayback()
  const files = useResultFiles()
  const sound = files.find(({ path }) => path.startsWith('audio/') && kindOf(path) === 'sound')
  if (error !== undefined) return <ErrorNotice error={error} />
  if (!data) return <Loading />
  const { summary, decisions, actionItems, openQuestions, topics, speakers, keyQuotes, notes } = data
  const playFrom = sound && playback.playFrom
  return (
    <div className="stack" dir="auto">
      {sound && <Player file={sound} playback={playback} waveform={findWaveform(files)} />}
      <Part title="Summary" items={summary}>
        {summary.map((finding) => (
          <Said key={keyOf(finding)} finding={finding} playFrom={playFrom} />
        ))}
      </Part>
      <Part title="Action items" items={actionItems}>
        {actionItems.map((item) => (
          <Said key={keyOf(item)} finding={item} playFrom={playFrom}>
            <Badge tone="accent">{item.owner ?? 'Nobody named'}</Badge>{' '}
            {item.due && <Badge tone="warning">{item.due.date ?? item.due.text}</Badge>}
          </Said>
        ))}
      </Part>
      <Part title="Decisions" items={decisions}>
        {decisions.map((finding) => (
          <Said key={keyOf(finding)} finding={finding} playFrom={playFrom} />
        ))}
      </Part>
      <Part title="Open questions" items={openQuestions}>
        {openQuestions.map((finding) => (
          <Said key={keyOf(finding)} finding={finding} playFrom={playFrom} />
        ))}
      </Part>
      <Part title="Topics" items={topics}>
        {topics.map(({ label, keywords, startSeconds, endSeconds }) => (
          <li key={startSeconds}>
            <Time seconds={startSeconds} playFrom={playFrom} />
            <span>
              {label} <span className="muted small">to {formatDuration(endSeconds)}</span>{' '}
              <span className="muted small">{listOthers(keywords, label)}</span>
            </span>
          </li>
        ))}
      </Part>
      <Shares speakers={speakers} />
      <Part title="Quotes" items={keyQuotes}>
        {keyQuotes.map((finding) => (
          <Said key={keyOf(finding)} finding={finding} playFrom={playFrom} />
        ))}
      </Part>
      {notes.length > 0 && (
        <Notice>
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </Notice>
      )}
    </div>
  )
}

const keyOf = ({ startSeconds, text }: Finding): string => `${startSeconds} ${text}`

const Part = ({ title, items, children }: { title: string; items: readonly unknown[]; children: ReactNode }) =>
  items.length > 0 && (
    <section className="card">
      <h2>{title}</h2>
      <ul className={styles.findings}>{children}</ul>
    </section>
  )

/** The keywords that the name of a topic does not tell already. */
const listOthers = (keywords: readonly string[], label: string): string =>
  keywords.filter((word) => !label.toLowerCase().includes(word.toLowerCase())).join(', ')

type PlayFrom = ((seconds: number) => void) | undefined

const Time = ({ seconds, playFrom }: { seconds: number; playFrom: PlayFrom }) => {
  const time = formatDuration(Math.floor(seconds))
  if (!playFrom) return <span className={soundStyles.time}>{time}</span>
  return (
    <button
      type="button"
      className={soundStyles.time}
      aria-label={`Play from ${time}`}
      onClick={() => playFrom(seconds)}
    >
      {time}
    </button>
  )
}

const Said = ({ finding, playFrom, children }: { finding: Finding; playFrom: PlayFrom; children?: ReactNode }) => (
  <li>
    <Time seconds={finding.startSeconds} playFrom={playFrom} />
    <span>
      {finding.speaker && <strong>{finding.speaker}: </strong>}
      {finding.text} {children}
    </span>
  </li>
)

/** Who spoke how much. */
const Shares = ({ speakers }: { speakers: MeetingAnalysis['speakers'] }) =>
  speakers.length > 0 && (
    <section className="card">
      <h2>Speakers</h2>
      <ul className={styles.shares}>
        {speakers.map(({ speaker, talkSeconds, talkShare, turns }) => (
          <li key={speaker}>
            <span className="row between">
              <strong>{speaker}</strong>
              <span className="muted small number">
                {Math.round(talkShare * 100)}% · {formatDuration(talkSeconds)} · {turns}{' '}
                {turns === 1 ? 'turn' : 'turns'}
              </span>
            </span>
            <span className="progress" aria-hidden="true">
              <div style={{ width: `${Math.round(talkShare * 100)}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
