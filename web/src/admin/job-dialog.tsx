import type { AdminJob } from '../../../src/http/web/contract.ts'
import { Button, CopyButton } from '../design/button.tsx'
import { Dialog } from '../design/dialog.tsx'
import { Fact, Facts } from '../design/facts.tsx'
import { formatBytes, formatDuration, formatNumber } from '../design/format.ts'
import { Time } from '../design/time.tsx'
import { describeBilling } from '../jobs/describe-billing.ts'
import { StateBadge } from '../jobs/state-badge.tsx'
import styles from './admin.module.css'

type Job = AdminJob['record']

/** All that the record of a job tells, but not what was in the file. */
export const JobDialog = ({ job: { record, accountName }, onClose }: { job: AdminJob; onClose(): void }) => (
  <Dialog title={`${record.fileName}.${record.format}`} onClose={onClose}>
    <div className="stack">
      <Facts>
        <Fact name="Id" className="mono">
          {record.id}
        </Fact>
        <Fact name="Account">
          <bdi>{accountName}</bdi>
        </Fact>
        <Fact name="State">
          <StateBadge status={record.status} /> {describeProgress(record)}
        </Fact>
        <Fact name="Workflow">{record.workflow}</Fact>
        <Fact name="File">{describeFile(record)}</Fact>
        {record.output && (
          <Fact name="Result">
            {formatBytes(record.output.bytes)}, {formatNumber(record.output.fileCount)} files, kept until{' '}
            <Time at={record.output.expiresAt} />
          </Fact>
        )}
        {record.transcription && (
          <Fact name="Transcript">
            {record.transcription.mode}, {record.transcription.provider}, {record.transcription.model}
          </Fact>
        )}
        <Fact name="Billing">{describeBilling(record)}</Fact>
        {record.error && (
          <Fact name="Failure">
            <code>{record.error.code}</code> {record.error.detail}
          </Fact>
        )}
        {record.warnings.length > 0 && (
          <Fact name="Warnings">
            <ul className={styles.warnings}>
              {record.warnings.map(({ code, capabilityId, detail }) => (
                <li key={`${code} ${capabilityId} ${detail}`}>
                  <code>{code}</code> {detail}
                </li>
              ))}
            </ul>
          </Fact>
        )}
        <Fact name="Sent">
          <Time at={record.createdAt} />
        </Fact>
        <Fact name="Started">
          <Time at={record.startedAt} />
        </Fact>
        <Fact name="Ended">
          <Time at={record.finishedAt} />
        </Fact>
      </Facts>
      <div className="row">
        <Button onClick={onClose}>Close</Button>
        <CopyButton text={record.id} label="Copy the id" />
      </div>
    </div>
  </Dialog>
)

const describeProgress = ({ status, queue, progress: { percent, phase } }: Job): string => {
  if (queue) return `place ${queue.position} in ${queue.pool}`
  if (status !== 'running') return ''
  return phase === null ? `${percent}%` : `${percent}%, ${phase}`
}

const describeFile = ({ metrics }: Job): string => {
  const { inputBytes, durationSeconds } = metrics
  const units = { pages: metrics.pageCount, slides: metrics.slideCount, sheets: metrics.sheetCount }
  return [
    formatBytes(inputBytes),
    ...Object.entries({ ...units, frames: metrics.frameCount })
      .filter(([, count]) => count !== null)
      .map(([unit, count]) => `${count} ${unit}`),
    ...(durationSeconds === null ? [] : [formatDuration(durationSeconds)]),
  ].join(', ')
}
