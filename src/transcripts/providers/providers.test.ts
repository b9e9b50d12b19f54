import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assemblyAiProvider } from './assemblyai.ts'
import { deepgramProvider } from './deepgram.ts'
import { openAiProvider } from './openai.ts'
import type { Provider, ProviderRequest } from './provider.ts'

type Reply = (
  request: { url: URL; method: string; headers: IncomingMessage['headers']; body: Buffer },
  response: ServerResponse,
) => void

/** A server on this machine that answers as each test says, and remembers what it was asked. */
let reply: Reply = () => {}
const asked: { method: string; path: string; query: string; authorization: string | undefined; body: string }[] = []
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const url = new URL(request.url ?? '/', 'http://local')
    const [method, body] = [request.method ?? '', Buffer.concat(chunks)]
    const { authorization } = request.headers
    asked.push({ method, path: url.pathname, query: url.search, authorization, body: body.toString('latin1') })
    reply({ url, method, headers: request.headers, body }, response)
  })
})
const folder = mkdtempSync(join(tmpdir(), 'providers-'))
const audioPath = join(folder, 'audio.mp3')
let base = ''

beforeAll(async () => {
  writeFileSync(audioPath, 'SOUND')
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const call = { timeoutMs: 2_000, retries: 2, backOffMs: 5 }
const open = {
  openai: (model = 'whisper-1') => openAiProvider({ url: `${base}/v1`, key: 'secret', model, call }),
  deepgram: () => deepgramProvider({ url: base, key: 'secret', model: 'nova-3', call }),
  assemblyai: () => assemblyAiProvider({ url: base, key: 'secret', model: 'universal', call, pollMs: 5 }),
}

const transcribe = (provider: Provider, more: Partial<ProviderRequest> = {}) => {
  asked.length = 0
  const audio = { path: audioPath, bytes: 5, mediaType: 'audio/mpeg', durationSeconds: 4 }
  return provider.transcribe({ audio, language: 'auto', speakers: true, signal: new AbortController().signal, ...more })
}

describe('openai', () => {
  test('sends the file with the model, and puts the punctuation of the text back on the words', async () => {
    reply = (_, response) =>
      json(response, {
        text: 'Hello, Anna. “How are you?”',
        language: 'english',
        words: [
          { word: 'Hello', start: 0.1, end: 0.4 },
          { word: 'Anna', start: 0.5, end: 0.9 },
          { word: 'How', start: 2, end: 2.2 },
          { word: 'are', start: 2.2, end: 2.4 },
          { word: 'you', start: 2.4, end: 2.7 },
        ],
      })
    const answer = await transcribe(open.openai())
    expect(answer).toMatchObject({ language: 'en', model: 'whisper-1', wordTimes: 'aligned' })
    expect(answer.segments.map(({ text, startSeconds }) => [text, startSeconds])).toEqual([
      ['Hello, Anna.', 0.1],
      ['“How are you?”', 2],
    ])
    expect(asked[0]).toMatchObject({ path: '/v1/audio/transcriptions', authorization: 'Bearer secret' })
    expect(asked[0]?.body).toContain('SOUND')
    expect(asked[0]?.body).toMatch(/name="response_format"\s+verbose_json/)
    expect(asked[0]?.body).not.toContain('name="language"')
  })

  test('a diarizing model gives speakers, a plain one a single segment', async () => {
    reply = (_, response) =>
      json(response, {
        text: 'a b',
        segments: [
          { start: 0, end: 1, text: ' a', speaker: 'B' },
          { start: 1, end: 2, text: ' b', speaker: 'A' },
        ],
      })
    const spoken = await transcribe(open.openai('gpt-4o-transcribe-diarize'), { language: 'de-AT' })
    expect(spoken.segments.map(({ speaker }) => speaker)).toEqual(['Speaker 1', 'Speaker 2'])
    expect(asked[0]?.body).toMatch(/name="response_format"\s+diarized_json/)
    expect(asked[0]?.body).toMatch(/name="language"\s+de\s/)
    reply = (_, response) => json(response, { text: ' all of it ' })
    const plain = await transcribe(open.openai('gpt-4o-transcribe'))
    expect(plain.segments).toMatchObject([{ text: 'all of it', startSeconds: 0, endSeconds: 4 }])
  })
})

test('deepgram: raw sound, words with speakers', async () => {
  reply = (_, response) =>
    json(response, {
      results: {
        channels: [
          {
            detected_language: 'fr',
            alternatives: [
              {
                words: [
                  { word: 'bonjour', punctuated_word: 'Bonjour.', start: 0, end: 1, confidence: 0.9, speaker: 1 },
                  { word: 'salut', punctuated_word: 'Salut.', start: 1.1, end: 2, confidence: 0.8, speaker: 0 },
                ],
              },
            ],
          },
        ],
      },
    })
  const answer = await transcribe(open.deepgram())
  expect(answer.language).toBe('fr')
  expect(answer.segments.map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual([
    'Speaker 1: Bonjour.',
    'Speaker 2: Salut.',
  ])
  expect(asked[0]).toMatchObject({ path: '/v1/listen', authorization: 'Token secret', body: 'SOUND' })
  expect(asked[0]?.query).toContain('detect_language=true')
  await transcribe(open.deepgram(), { language: 'pt-BR', speakers: false })
  expect(asked[0]?.query).toContain('language=pt-BR')
  expect(asked[0]?.query).not.toContain('diarize')
})

describe('assemblyai', () => {
  const words = [{ text: 'Hallo.', start: 120, end: 900, confidence: 0.7, speaker: 'A' }]
  test('uploads, asks, looks again until it is done', async () => {
    let looks = 0
    reply = ({ url, method }, response) => {
      if (url.pathname === '/v2/upload') return json(response, { upload_url: `${base}/stored` })
      if (method === 'POST') return json(response, { id: 'job-1', status: 'queued' })
      looks += 1
      return json(
        response,
        looks < 3
          ? { id: 'job-1', status: 'processing' }
          : { id: 'job-1', status: 'completed', language_code: 'de', words },
      )
    }
    const answer = await transcribe(open.assemblyai())
    expect(answer).toMatchObject({
      language: 'de',
      segments: [{ text: 'Hallo.', startSeconds: 0.12, speaker: 'Speaker 1' }],
    })
    expect(looks).toBe(3)
    expect(asked[0]?.body).toBe('SOUND')
    expect(JSON.parse(asked[1]?.body ?? '')).toMatchObject({ language_detection: true, speaker_labels: true })
  })

  test('says what the service says when it fails', async () => {
    reply = ({ url }, response) =>
      json(
        response,
        url.pathname === '/v2/upload' ? { upload_url: 'x' } : { id: 'j', status: 'error', error: 'no sound' },
      )
    await expect(transcribe(open.assemblyai())).rejects.toMatchObject({
      reason: 'failed',
      message: 'assemblyai: failed: no sound',
    })
  })
})

describe('faults', () => {
  const good = { text: 'fine' }
  const faults: [string, Reply, string, number][] = [
    ['429 with Retry-After', (_, r) => r.writeHead(429, { 'retry-after': '0' }).end('slow down'), 'rate_limited', 3],
    ['500', (_, r) => r.writeHead(500).end('oops'), 'failed', 3],
    ['401', (_, r) => r.writeHead(401).end('who are you'), 'refused', 1],
    ['an answer that is not JSON', (_, r) => r.end('<html>'), 'bad_answer', 3],
    ['an answer of another shape', (_, r) => json(r, { words: 7 }), 'bad_answer', 1],
    [
      'half an answer',
      (_, r) => void r.writeHead(200, { 'content-length': '100' }).write('{"te', () => r.destroy()),
      'unreachable',
      3,
    ],
    ['a redirect', (_, r) => r.writeHead(302, { location: '/elsewhere' }).end(), 'unreachable', 3],
  ]
  test.each(faults)('%s: tried as often as makes sense, then told', async (_name, fault, reason, tries) => {
    reply = fault
    await expect(transcribe(open.openai())).rejects.toMatchObject({
      name: 'ProviderFailure',
      provider: 'openai',
      reason,
    })
    expect(asked).toHaveLength(tries)
  })

  test('one that passes is not noticed', async () => {
    reply = (request, response) => {
      reply = (_, next) => json(next, good)
      faults[1]?.[1](request, response)
    }
    expect((await transcribe(open.openai())).segments).toMatchObject([{ text: 'fine' }])
  })

  test('silence ends by the time limit, and a canceled job at once', async () => {
    reply = () => {}
    const patient = openAiProvider({
      url: base,
      key: '',
      model: 'm',
      call: { timeoutMs: 500, retries: 1, backOffMs: 1 },
    })
    await expect(transcribe(patient)).rejects.toMatchObject({ reason: 'timed_out' })
    expect(asked).toHaveLength(2)
    const controller = new AbortController()
    const running = transcribe(open.openai(), { signal: controller.signal })
    controller.abort(new Error('canceled'))
    await expect(running).rejects.toThrow('canceled')
  })

  test('a key is in no message', async () => {
    reply = (_, response) => response.writeHead(403).end('no')
    const error = await transcribe(open.openai()).catch((failure: unknown) => failure as Error)
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('secret')
  })
})
