import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient, type TestClient } from '../support/client.ts'
import { startTestService, type TestService } from '../support/service.ts'

const ENGLISH = 'Good morning everyone. Today we talk about the results of the quarter and the plans for next year.'
const RUSSIAN = 'Доброе утро всем. Сегодня мы поговорим о результатах квартала и планах на следующий год.'

let service: TestService
let client: TestClient
let folder = ''

/** A provider on this machine; it says what it is told to. */
let provide: () => { status: number; body: unknown } = () => ({ status: 500, body: {} })
const asked: string[] = []
const provider = createServer((request, response) => {
  request.resume().on('end', () => {
    asked.push(request.url ?? '')
    const { status, body } = provide()
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
})

/** Speaks the language of whisper.cpp's program, and knows German alone. */
const WHISPER = `#!/bin/sh
while [ $# -gt 0 ]; do case "$1" in -l) language="$2" ;; -of) output="$2" ;; -f) sound="$2" ;; -m) model="$2" ;; esac; shift; done
[ "$language" = de ] && [ -s "$sound" ] && [ -s "$model" ] || exit 1
cat > "$output.json" <<END
{"result":{"language":"de"},"transcription":[
{"offsets":{"from":0,"to":400},"text":" Guten"},{"offsets":{"from":400,"to":900},"text":" Morgen."},
{"offsets":{"from":1500,"to":2000},"text":" Danke."}]}
END
`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'speech-'))
  const program = join(folder, 'whisper', 'whisper-cli')
  const model = join(folder, 'ggml-test.bin')
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'whisper'))
  await writeFile(program, WHISPER, { mode: 0o755 })
  await writeFile(model, 'weights')
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done))
  service = await startTestService({
    QUARRY_OPENAI_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`,
    QUARRY_OPENAI_MODEL: 'whisper-1',
    QUARRY_TRANSCRIBE_QUALITY: 'openai',
    QUARRY_TRANSCRIBE_MEETING: 'whisper.cpp,built-in',
    QUARRY_WHISPER_PROGRAM: program,
    QUARRY_WHISPER_MODEL: model,
    QUARRY_PROVIDER_RETRIES: '1',
  })
  client = createClient(service.base, (await service.account()).key)
})
afterAll(async () => {
  await service.stop()
  provider.close()
  await rm(folder, { recursive: true, force: true })
})

const speak = (text: string, voice: string, name: string): Buffer => {
  const path = join(folder, name)
  execFileSync('espeak-ng', ['-v', voice, '-s', '150', '-w', path, text])
  return readFileSync(path)
}
const silence = (): Buffer =>
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-t', '5', '-f', 'wav', '-'])

const transcribe = async (name: string, content: Buffer, transcription: object) => {
  const { body } = await client.submit(name, content, { transcription }, { path: '/extract/transcribe' })
  return client.waitForEnd(body.id, 120_000)
}
const extract = async (name: string, content: Buffer, options: object) => {
  const { body } = await client.submit(name, content, options)
  return client.waitForEnd(body.id, 120_000)
}
const unzip = async (id: string): Promise<{ names: string[]; read(name: string): string }> => {
  const { bytes } = await client.download(id)
  const path = join(folder, `${id}.zip`)
  await writeFile(path, bytes)
  const names = execFileSync('unzip', ['-Z1', path], { encoding: 'utf8' }).trim().split('\n').toSorted()
  return { names, read: (name) => execFileSync('unzip', ['-p', path, name], { encoding: 'utf8' }) }
}
const words = (text: string): string[] => text.toLowerCase().match(/[a-z]+/g) ?? []

describe('the built-in engine', { timeout: 180_000 }, () => {
  test('a transcript-only job holds what is said, in the files that were asked for', async () => {
    const record = await transcribe('talk.wav', speak(ENGLISH, 'en-us', 'talk.wav'), {
      mode: 'fast',
      includePdf: false,
    })
    expect(record).toMatchObject({
      status: 'succeeded',
      billing: 'charged',
      transcription: {
        provider: 'built-in',
        model: 'moonshine-tiny',
        mode: 'fast',
        language: 'en',
        speakerCount: null,
        spend: null,
      },
    })
    const { names, read } = await unzip(record.id)
    expect(names).toEqual(['docx', 'epub', 'json', 'md', 'srt', 'txt', 'vtt'].map((kind) => `transcript.${kind}`))
    const said = words(read('transcript.txt'))
    const missed = words(ENGLISH).filter((word) => !said.includes(word))
    expect(missed.length).toBeLessThanOrEqual(1)
    expect(read('transcript.vtt')).toMatch(/^WEBVTT/)
    const { segments } = JSON.parse(read('transcript.json')) as { segments: { words: { startSeconds: number }[] }[] }
    const times = segments.flatMap((segment) => segment.words.map(({ startSeconds }) => startSeconds))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times.length).toBeGreaterThan(15)
  })

  test('beside other artifacts it has the seven files of the contract, and for a meeting its analysis', async () => {
    const capabilityOptions = { 'media.transcript': { 'transcription.mode': 'meeting-intelligence' } }
    const record = await extract('talk.wav', speak(ENGLISH, 'en-us', 'talk.wav'), {
      extraction: {
        selectedCapabilities: ['audio.metadata', 'media.transcript'],
        capabilityOptions,
        includeManifest: false,
      },
    })
    expect(record).toMatchObject({ status: 'succeeded', transcription: { model: 'moonshine-base', speakerCount: 1 } })
    const { names } = await unzip(record.id)
    const files = ['docx', 'epub', 'md', 'pdf', 'srt', 'txt', 'vtt'].map((kind) => `transcript.${kind}`)
    expect(names.filter((name) => !name.startsWith('metadata/'))).toEqual([
      'analysis/meeting-analysis.json',
      'analysis/meeting-analysis.md',
      ...files,
    ])
    expect(names).not.toContain('metadata/transcription.json')
  })

  test('of a film it shows the frames beside what is said', async () => {
    const sound = join(folder, 'film.wav')
    const film = join(folder, 'film.mp4')
    speak(ENGLISH, 'en-us', 'film.wav')
    const picture = ['-f', 'lavfi', '-i', 'testsrc=size=160x120:rate=5']
    execFileSync('ffmpeg', ['-v', 'error', '-y', ...picture, '-i', sound, '-shortest', '-pix_fmt', 'yuv420p', film])
    const record = await extract('film.mp4', readFileSync(film), {
      extraction: {
        selectedCapabilities: ['video.frames', 'media.transcript'],
        capabilityOptions: { 'video.frames': { frameIntervalSeconds: 2 } },
      },
    })
    expect(record).toMatchObject({ status: 'succeeded', transcription: { mode: 'fast' } })
    const { names, read } = await unzip(record.id)
    const shown = [...read('transcript.md').matchAll(/\]\((frames\/[^)]+)\)/g)].map(([, path]) => path)
    expect(shown).toEqual(names.filter((name) => /^frames\/frame-/.test(name)))
    expect(shown.length).toBeGreaterThan(2)
  })

  test('another language is never written down as English, and costs nothing', async () => {
    const russian = speak(RUSSIAN, 'ru', 'ru.wav')
    for (const language of ['auto', 'ru']) {
      expect(await transcribe('ru.wav', russian, { mode: 'fast', language })).toMatchObject({
        status: 'failed',
        billing: 'released',
        error: {
          code: 'extract.audio_transcription.provider_not_configured',
          params: { mode: 'fast', reasons: { 'built-in': 'language_not_covered' } },
        },
      })
    }
  })

  test('silence has no speech, and costs nothing', async () => {
    expect(await transcribe('quiet.wav', silence(), { mode: 'fast' })).toMatchObject({
      status: 'failed',
      billing: 'released',
      error: { code: 'transcribe.no_speech' },
    })
  })

  test('what is available is said beforehand', async () => {
    const { body } = await client.call<{ transcription: object }>('GET', '/extract/options/mp3')
    const modes = ['fast', 'quality', 'meeting-intelligence'].map((id) =>
      expect.objectContaining({ id, available: true }),
    )
    expect(body.transcription).toMatchObject({ modes, languages: expect.arrayContaining(['auto', 'en', 'ru']) })
  })
})

describe('a provider', { timeout: 120_000 }, () => {
  test('writes down what the built-in engine cannot', async () => {
    provide = () => ({
      status: 200,
      body: { text: 'Доброе утро.', language: 'russian', segments: [{ start: 0, end: 2, text: 'Доброе утро.' }] },
    })
    const record = await transcribe('ru.wav', speak(RUSSIAN, 'ru', 'ru.wav'), { mode: 'quality' })
    expect(record).toMatchObject({
      status: 'succeeded',
      transcription: {
        ...{ provider: 'openai', model: 'whisper-1', language: 'ru', segmentCount: 1 },
        spend: { requests: 1, audioSeconds: expect.any(Number) },
      },
    })
    expect((await unzip(record.id)).read('transcript.txt')).toContain('Доброе утро.')
    expect(asked.at(-1)).toBe('/v1/audio/transcriptions')
  })

  test('on the machine is a program inside the sandbox; where it fails, the next engine has its turn', async () => {
    const sound = speak(ENGLISH, 'en-us', 'talk.wav')
    const german = await transcribe('talk.wav', sound, { mode: 'meeting-intelligence', language: 'de' })
    expect(german).toMatchObject({
      status: 'succeeded',
      transcription: { provider: 'whisper.cpp', model: 'ggml-test.bin', language: 'de', segmentCount: 2 },
    })
    expect((await unzip(german.id)).read('transcript.txt')).toContain('Guten Morgen. Danke.')
    const english = await transcribe('talk.wav', sound, { mode: 'meeting-intelligence', language: 'en' })
    expect(english).toMatchObject({ status: 'succeeded', transcription: { provider: 'built-in' } })
  })

  test('that is down fails the job with its reason, and the credits come back', async () => {
    provide = () => ({ status: 503, body: 'busy' })
    const before = asked.length
    expect(await transcribe('talk.wav', speak(ENGLISH, 'en', 'talk.wav'), { mode: 'quality' })).toMatchObject({
      status: 'failed',
      billing: 'released',
      error: {
        code: 'extract.audio_transcription.provider_not_configured',
        params: { mode: 'quality', reasons: { openai: 'failed' } },
      },
    })
    expect(asked.length - before).toBe(2)
  })
})

test('the descriptor of mp4 is the one of the contract', async () => {
  type Descriptor = {
    defaults: { selectedCapabilities: string[]; capabilityOptions: Record<string, Record<string, unknown>> }
    capabilities: { id: string; output: string; options: { id: string; type: string; allowedValues?: string[] }[] }[]
    constraints: unknown[]
  }
  const { body } = await client.call<Descriptor>('GET', '/extract/options/mp4')
  const contract = ['video.audio', 'video.frames', 'video.metadata', 'video.subtitles']
  expect(body.defaults.selectedCapabilities.toSorted()).toEqual(contract)
  expect(body.defaults.capabilityOptions['video.audio']).toMatchObject({ audioFormat: 'mp3' })
  expect(body.defaults.capabilityOptions['video.frames']).toMatchObject({
    ...{ frameMode: 'every-n-seconds', frameIntervalSeconds: 1, maxExtractedFrames: 500 },
  })
  const find = (id: string) => body.capabilities.find((capability) => capability.id === id)
  const option = (id: string, name: string) => find(id)?.options.find((candidate) => candidate.id === name)
  expect(find('video.audio')?.output).toBe('audio')
  expect(option('video.audio', 'audioFormat')).toMatchObject({
    type: 'enum',
    allowedValues: ['mp3', 'wav', 'm4a', 'original', 'best'],
  })
  expect(option('video.frames', 'frameMode')?.allowedValues).toEqual([
    ...['every-n-seconds', 'evenly-spaced', 'scene-change', 'keyframes', 'every-n-frames'],
  ])
  expect(find('video.metadata')?.options).toEqual([])
  expect(find('video.subtitles')?.options).toEqual([])
  expect(find('media.transcript')).toMatchObject({ output: 'transcript', defaultSelected: false })
  expect(Array.isArray(body.constraints)).toBe(true)
})
