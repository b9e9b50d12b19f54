import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OptionValue } from '../core/catalog.ts'
import { openTestSandbox, type TestSandbox } from './pool-fixture.ts'

describe('a job in a child', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await openTestSandbox()
  })
  afterAll(() => sandbox.close())

  const both = ['mischief.act', 'mischief.more']
  const extract = (extension: string, text: string, capabilities: Record<string, Record<string, OptionValue>>) => {
    const request = {
      owner: 'account',
      extension,
      inputPath: sandbox.writeInput(text, extension),
      name: `test.${extension}`,
      bytes: text.length,
      capabilities: Object.entries(capabilities).map(([id, values]) => ({ id, values })),
    }
    return sandbox.pool.extract(request, {}, new AbortController().signal)
  }

  test('gives artifacts, engines and what it used', async () => {
    const { artifacts, engines, usage, warnings, release } = await sandbox.act({ do: 'ok', text: 'grüße\n' })
    expect(artifacts).toMatchObject([
      { path: 'text/ok.txt', bytes: 8, mediaType: 'text/plain; charset=utf-8', capabilityId: 'mischief.act' },
    ])
    expect(readFileSync(artifacts[0]?.file ?? '', 'utf8')).toBe('grüße\n')
    expect(engines).toEqual([{ name: 'mischief', version: '1.0.0' }])
    expect(warnings).toEqual([])
    expect(usage.wallSeconds).toBeGreaterThan(0)
    expect(usage.peakMemoryBytes).toBeGreaterThan(10_000_000)
    await release()
    await release()
    expect(() => readFileSync(artifacts[0]?.file ?? '')).toThrow('ENOENT')
  })

  test('makes paths safe and unique, and moves files it made', async () => {
    const made = await sandbox.act({ do: 'file-artifact', text: 'made\n' })
    expect(made.artifacts).toMatchObject([{ path: 'text/made.txt', bytes: 5 }])
    await made.release()
    const many = await sandbox.act({ do: 'many-files', files: 3 })
    expect(many.artifacts.map(({ path }) => path)).toEqual(['text/same.txt', 'text/same-2.txt', 'text/same-3.txt'])
    expect(many.artifacts.map(({ file }) => readFileSync(file, 'utf8'))).toEqual(['0\n', '1\n', '2\n'])
    await many.release()
  })

  test('tells of progress, never backwards and never 100', async () => {
    const seen: [number, string][] = []
    const handlers = { onProgress: (percent: number, phase: string) => void seen.push([percent, phase]) }
    const deed = { do: 'slow', seconds: 1, steps: 10 }
    const { release } = await sandbox.act(deed, { capabilities: both, handlers })
    const percents = seen.map(([percent]) => percent)
    expect(percents).toEqual(percents.toSorted((a, b) => a - b))
    expect(percents.length).toBeGreaterThan(4)
    expect(percents.length).toBeLessThan(15)
    // Two capabilities, half of the way each.
    expect(
      Math.max(...seen.filter(([, phase]) => phase === 'mischief.act').map(([percent]) => percent)),
    ).toBeLessThanOrEqual(50)
    expect(Math.max(...percents)).toBeLessThan(100)
    await release()
  })

  test.each([
    [
      'warns',
      { do: 'warn' },
      { code: 'mischief.partial', capabilityId: 'mischief.act', detail: 'Some of it is missing.' },
    ],
    ['finds nothing', { do: 'nothing' }, { code: 'capability.nothing_found', capabilityId: 'mischief.act' }],
    ['breaks', { do: 'throw' }, { code: 'extract.engine_failed', capabilityId: 'mischief.act' }],
  ])('warns when one capability %s and another delivers', async (_what, deed, warning) => {
    const heard: unknown[] = []
    const handlers = { onWarning: (said: unknown) => void heard.push(said) }
    const { artifacts, warnings, release } = await sandbox.act(deed, { capabilities: both, handlers })
    expect(warnings).toMatchObject([warning])
    expect(heard).toEqual(warnings)
    expect(artifacts.map(({ path }) => path)).toContain('text/more.txt')
    expect(JSON.stringify(warnings)).not.toContain('source.mischief')
    await release()
  })

  test.each([
    ['nothing at all', 'nothing', ['mischief.act'], 'extract.output_empty'],
    ['the only one that breaks', 'throw', ['mischief.act'], 'extract.engine_failed'],
    ['a damaged file, whatever else was found', 'fail:extract.source_unreadable', both, 'extract.source_unreadable'],
    ['a locked file, whatever else was found', 'fail:extract.source_encrypted', both, 'extract.source_encrypted'],
  ])('fails with %s', async (_what, deed, capabilities, code) => {
    expect((await sandbox.fail({ do: deed }, { capabilities })).code).toBe(code)
  })

  test('fails where what costs extra cannot be delivered', async () => {
    const job = extract('clip', '90 seconds', {
      'clip.metadata': {},
      'media.transcript': { 'transcription.mode': 'quality' },
    })
    await expect(job).rejects.toMatchObject({
      code: 'extract.audio_transcription.provider_not_configured',
      params: { mode: 'quality' },
    })
  })

  test('hands each capability its option values', async () => {
    const { artifacts, warnings, release } = await extract('deck', 'One | first\nTwo\nThree | last\n', {
      'deck.text': { lineEnding: 'lf', includeNumbers: true },
      'deck.images': { layout: 'single', maxImages: 2, scale: 1 },
      'deck.notes': { password: '', language: 'de', parts: ['notes'] },
    })
    expect(artifacts.map(({ path }) => path)).toEqual([
      'text/deck.txt',
      'images/slide-001.svg',
      'images/slide-002.svg',
      'text/notes.de.txt',
    ])
    expect(artifacts[2]).toMatchObject({ provenance: { slide: 2 }, capabilityId: 'deck.images' })
    expect(readFileSync(artifacts[0]?.file ?? '', 'utf8')).toBe('1. One\n2. Two\n3. Three\n')
    expect(readFileSync(artifacts[3]?.file ?? '', 'utf8')).toBe('first\nlast\n')
    expect(warnings).toMatchObject([{ code: 'deck.images_cut' }])
    await release()
  })

  test.each([
    ['deck', 'One\nTwo\n\nThree', { slides: 3 }],
    ['clip', '61.5', { durationSeconds: 61.5 }],
    ['scroll', 'one\ftwo', { pages: 2 }],
    ['flipbook', 'one\n\ntwo\n\nthree\n', { frames: 3 }],
  ])('measures a %s', async (extension, text, metrics) => {
    const inputPath = sandbox.writeInput(text, extension)
    const request = {
      owner: 'account',
      extension,
      inputPath,
      name: `a.${extension}`,
      bytes: text.length,
      shared: {},
    }
    expect(await sandbox.pool.probe(request, new AbortController().signal)).toEqual(metrics)
  })
})
