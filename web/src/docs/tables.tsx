import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { Reference } from '../../../src/http/web/contract.ts'
import { useAnswer } from '../api/use-answer.ts'
import { ErrorNotice, Loading } from '../design/feedback.tsx'
import { TextField } from '../design/field.tsx'
import { formatNumber } from '../design/format.ts'
import { Table } from '../design/table.tsx'
import { useTitle } from '../site.tsx'
import type { Options } from './catalog.ts'
import styles from './docs.module.css'
import { useHash } from './guide.tsx'
import { Words } from './words.tsx'

/** Shows what is made of the service's own tables, once they have come. */
const FromReference = ({ children }: { children: (reference: Reference) => ReactNode }) => {
  const { data, error } = useAnswer<Reference>('/web/reference')
  useHash(data)
  if (data) return children(data)
  return error === undefined ? <Loading /> : <ErrorNotice error={error} />
}

const errorColumns = [
  { name: 'Status', cell: ({ status }: Reference['errors'][number]) => status, isNumber: true },
  { name: 'Code', cell: ({ code }: Reference['errors'][number]) => <code id={code}>{code}</code> },
  { name: 'Meaning', cell: ({ detail }: Reference['errors'][number]) => <Words text={detail} /> },
]

/** Every code that answers a request. */
export const ErrorTable = () => (
  <FromReference>
    {({ errors }) => (
      <div className="stack">
        <Table
          label="Error codes"
          columns={errorColumns}
          rows={errors.filter((e) => !e.webOnly)}
          keyOf={(e) => e.code}
        />
        <details>
          <summary>Codes that only this website answers with</summary>
          <Table
            label="Error codes of the website"
            columns={errorColumns}
            rows={errors.filter((e) => e.webOnly)}
            keyOf={(e) => e.code}
          />
        </details>
      </div>
    )}
  </FromReference>
)

/** Every code on the record of a job that failed. */
export const FailureTable = () => (
  <FromReference>
    {({ failures }) => (
      <Table
        label="Job failures"
        rows={failures}
        keyOf={({ code }) => code}
        columns={[
          { name: 'Code', cell: ({ code }) => <code id={code}>{code}</code> },
          { name: 'Meaning', cell: ({ detail }) => <Words text={detail} /> },
        ]}
      />
    )}
  </FromReference>
)

/** What each plan may do. */
export const PlansPage = () => {
  useTitle('Plans')
  return (
    <div className={`${styles.text} stack`}>
      <div>
        <h1>Plans</h1>
        <p>
          Pro accounts use the API and spend their credits. Free accounts and guests use the website; each day they get
          credits up to the daily limit, which starts anew at midnight UTC. A key does not change the plan.
        </p>
      </div>
      <FromReference>
        {({ plans }) => (
          <Table
            label="Plans"
            rows={plans}
            keyOf={({ id }) => id}
            columns={[
              { name: 'Plan', cell: ({ name }) => name },
              { name: 'Largest file, MB', cell: (plan) => formatNumber(plan.maxFileSizeMb), isNumber: true },
              { name: 'Longest recording, min', cell: (plan) => formatNumber(plan.maxDurationMinutes), isNumber: true },
              { name: 'Jobs waiting', cell: (plan) => formatNumber(plan.maxQueuedJobs), isNumber: true },
              { name: 'Jobs at once', cell: (plan) => formatNumber(plan.maxParallelJobs), isNumber: true },
              {
                name: 'Credits a day',
                cell: ({ dailyCredits }) => (dailyCredits === null ? 'no limit' : formatNumber(dailyCredits)),
                isNumber: true,
              },
            ]}
          />
        )}
      </FromReference>
      <p>
        <code>GET /extract/entitlements/me</code> tells the plan, credits and limits of a key&apos;s owner. What a job
        costs is under <Link href="/docs/prices">Prices</Link>.
      </p>
    </div>
  )
}

/** Every setting of the service, with a search. */
export const SettingsPage = () => {
  useTitle('Settings')
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  return (
    <div className={`${styles.text} stack`}>
      <div>
        <h1>Settings</h1>
        <p>
          All settings are environment variables. <code>npm run quarry -- config</code> prints them with the values in
          force; this page has what holds unless you say otherwise. How they work together is told under{' '}
          <Link href="/docs/self-hosting">Self-hosting</Link>.
        </p>
      </div>
      <TextField
        label="Find a setting"
        type="search"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <FromReference>
        {({ settings }) => {
          const found = settings.filter(({ setting, detail }) => `${setting} ${detail}`.toLowerCase().includes(wanted))
          return (
            <>
              <p className="muted small" role="status">
                {found.length} setting{found.length === 1 ? '' : 's'}
              </p>
              <Table
                label="Settings"
                rows={found}
                keyOf={({ setting }) => setting}
                columns={[
                  { name: 'Variable', cell: ({ setting }) => <code id={setting}>{setting}</code> },
                  { name: 'Default', cell: (row) => row.default !== '' && <code>{row.default}</code> },
                  { name: 'Meaning', cell: ({ detail }) => <Words text={detail} /> },
                ]}
              />
            </>
          )
        }}
      </FromReference>
    </div>
  )
}

/** What the modes of transcription cost here, and whether they can be had. */
export const TranscriptionModes = () => {
  const { data, error } = useAnswer<Options>('/web/options/mp3')
  if (!data) return error === undefined ? <Loading /> : <ErrorNotice error={error} />
  return (
    <Table
      label="Modes on this service"
      rows={data.transcription?.modes ?? []}
      keyOf={({ id }) => id}
      columns={[
        { name: 'On this service', cell: ({ id }) => <code>{id}</code> },
        { name: 'Credits a started minute', cell: ({ creditsPerMinute }) => creditsPerMinute, isNumber: true },
        { name: 'State', cell: ({ available }) => (available ? 'available' : 'not available') },
      ]}
    />
  )
}
