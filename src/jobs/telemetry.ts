import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Sql } from '../storage/database.ts'
import type { Job } from './records.ts'

/** Counts what happens, for `/metrics`. */
export type Telemetry = {
  jobSubmitted(pool: string, credits: number): void
  jobStarted(job: Job): void
  jobEnded(job: Job): void
  requestAnswered(route: string, method: string, status: number, seconds: number): void
  /** Prometheus text of this process and of the queues. */
  render(
    sql: Sql,
    sandbox: { running: number; idle: number; spares: number; restarts: number } | undefined,
  ): Promise<string>
  readonly contentType: string
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800]

export const createTelemetry = (): Telemetry => {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const submitted = new Counter({
    name: 'quarry_jobs_submitted_total',
    help: 'Jobs accepted.',
    labelNames: ['pool'],
    registers,
  })
  const ended = new Counter({
    name: 'quarry_jobs_ended_total',
    help: 'Jobs ended, by state and failure code.',
    labelNames: ['pool', 'state', 'code'],
    registers,
  })
  const held = new Counter({ name: 'quarry_credits_held_total', help: 'Credits held at submission.', registers })
  const captured = new Counter({
    name: 'quarry_credits_captured_total',
    help: 'Credits captured by succeeded jobs.',
    registers,
  })
  const wait = new Histogram({
    name: 'quarry_job_wait_seconds',
    help: 'From submission to start.',
    labelNames: ['pool'],
    buckets: SECONDS,
    registers,
  })
  const duration = new Histogram({
    name: 'quarry_job_duration_seconds',
    help: 'From start to end.',
    labelNames: ['pool', 'state'],
    buckets: SECONDS,
    registers,
  })
  const requests = new Histogram({
    name: 'quarry_http_request_seconds',
    help: 'Requests answered.',
    labelNames: ['route', 'method', 'status'],
    buckets: SECONDS,
    registers,
  })
  const jobs = new Gauge({
    name: 'quarry_jobs',
    help: 'Open jobs, by state and pool.',
    labelNames: ['pool', 'state'],
    registers,
  })
  const oldest = new Gauge({
    name: 'quarry_queue_age_seconds',
    help: 'Age of the oldest waiting job.',
    labelNames: ['pool'],
    registers,
  })
  const children = new Gauge({
    name: 'quarry_sandbox_children',
    help: 'Extraction processes of this process.',
    labelNames: ['state'],
    registers,
  })
  const restarts = new Gauge({
    name: 'quarry_sandbox_restarts',
    help: 'Extraction processes replaced since the start.',
    registers,
  })

  return {
    contentType: registry.contentType,
    jobSubmitted: (pool, credits) => {
      submitted.inc({ pool })
      held.inc(credits)
    },
    jobStarted: (job) => {
      if (job.startedAt) wait.observe({ pool: job.pool }, (job.startedAt.getTime() - job.createdAt.getTime()) / 1000)
    },
    jobEnded: (job) => {
      ended.inc({ pool: job.pool, state: job.state, code: job.error?.code ?? '' })
      captured.inc(job.chargedCredits)
      if (job.startedAt && job.finishedAt) {
        duration.observe(
          { pool: job.pool, state: job.state },
          (job.finishedAt.getTime() - job.startedAt.getTime()) / 1000,
        )
      }
    },
    requestAnswered: (route, method, status, seconds) =>
      requests.observe({ route, method, status: String(status) }, seconds),
    render: async (sql, sandbox) => {
      const rows = await sql.query<{ pool: string; state: string; count: number; age: number }>(
        `select pool, state, count(*) as count, extract(epoch from now() - min(created_at))::float as age
         from jobs where state in ('queued', 'running') group by pool, state`,
      )
      jobs.reset()
      oldest.reset()
      for (const { pool, state, count, age } of rows) {
        jobs.set({ pool, state }, count)
        if (state === 'queued') oldest.set({ pool }, age)
      }
      if (sandbox) {
        for (const state of ['running', 'idle', 'spares'] as const) children.set({ state }, sandbox[state])
        restarts.set(sandbox.restarts)
      }
      return registry.metrics()
    },
  }
}
