import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resultKey } from '../../src/jobs/files.ts'
import { openBlobs } from '../../src/storage/blobs.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { waitFor } from '../support/wait.ts'
import { slow } from './deeds.ts'
import { waitForState } from './store.ts'

const BUCKET = 'quarry-jobs'
const KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

let store: S3rver
let storeFolder: string
let workerFolder: string
let endpoint: string
let service: TestService
let client: TestClient
beforeAll(async () => {
  storeFolder = await mkdtemp(join(tmpdir(), 'quarry-s3-'))
  workerFolder = await mkdtemp(join(tmpdir(), 'quarry-worker-'))
  store = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: storeFolder,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  })
  endpoint = `http://127.0.0.1:${(await store.run()).port}`
  const settings = {
    QUARRY_S3_BUCKET: BUCKET,
    QUARRY_S3_ENDPOINT: endpoint,
    QUARRY_S3_ACCESS_KEY_ID: KEYS.accessKeyId,
    QUARRY_S3_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    QUARRY_S3_PREFIX: 'one/',
  }
  service = await startTestService(settings, 'api')
  // On another machine, as far as files go.
  await service.start('worker', { QUARRY_DATA: workerFolder })
  client = createClient(service.base, (await service.account()).key)
})
afterAll(async () => {
  await service.stop()
  await store.close()
  await Promise.all([storeFolder, workerFolder].map((folder) => rm(folder, { recursive: true, force: true })))
})

const blobs = () =>
  openBlobs({
    kind: 's3',
    bucket: BUCKET,
    region: 'us-east-1',
    endpoint,
    forcePathStyle: true,
    prefix: 'one/',
    ...KEYS,
  })
const listKeys = async (): Promise<string[]> => (await Array.fromAsync(blobs().list(''))).map(({ key }) => key).sort()

test('a file goes the whole way over a bucket, with the API and the worker in folders of their own', async () => {
  const text = 'a line of text that is long enough to be cut into ranges\n'.repeat(200)
  const job = await client.extract('notes.txt', text)
  expect(job).toMatchObject({ status: 'succeeded', billing: 'charged' })
  await waitFor('the upload to be gone', async () => (await listKeys()).join() === resultKey(job.id, 1))

  const whole = await client.download(job.id)
  expect([whole.status, whole.bytes.length]).toEqual([200, job.output?.bytes])
  const part = await client.download(job.id, { range: 'bytes=10-29' })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-29/${whole.bytes.length}`])
  expect(part.bytes).toEqual(whole.bytes.subarray(10, 30))
  const tail = await client.download(job.id, { range: 'bytes=-7' })
  expect(tail.bytes).toEqual(whole.bytes.subarray(-7))
  const etag = whole.headers.get('etag') as string
  expect((await client.download(job.id, { 'if-none-match': etag })).status).toBe(304)
  expect((await client.download(job.id, { range: `bytes=${whole.bytes.length}-` })).status).toBe(416)

  expect((await client.call('DELETE', `/extract/job/${job.id}`)).status).toBe(204)
  expect(await listKeys()).toEqual([])
})

test('a canceled job leaves nothing in the bucket', async () => {
  const { body } = await client.submit('deed.mischief', slow(30, 30))
  await waitForState(service, body.id, 'running')
  expect((await client.call('POST', `/extract/job/${body.id}/cancel`)).status).toBe(202)
  expect(await listKeys()).toEqual([])
})

test('neither folder holds a file of a job', async () => {
  // The worker may still be fetching the upload of the job that was canceled.
  await waitFor('both folders to be empty', async () => {
    const folders = await Promise.all(
      [service.dataFolder, workerFolder].map((folder) => readdir(folder, { recursive: true, withFileTypes: true })),
      // A folder that goes while it is read: the next look will not meet it.
    ).catch(() => undefined)
    return folders && !folders.flat().some((entry) => entry.isFile() && !entry.parentPath.includes('/sandbox/'))
  })
})

test('a result that the bucket lost is refunded', async () => {
  const job = await client.extract('notes.txt', 'to be lost\n')
  await blobs().delete(resultKey(job.id, 1))
  const answer = await client.download(job.id)
  expect([answer.status, JSON.parse(answer.bytes.toString()).code]).toEqual([410, 'jobs.result_expired'])
  expect((await client.get<typeof job>(`/extract/job/${job.id}`)).body.billing).toBe('refunded')
})
