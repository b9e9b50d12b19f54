import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { splitFileName } from '../core/artifact-names.ts'
import { type Context, findFormat, type Source } from '../core/catalog.ts'
import { loadCatalog } from './index.ts'
import { HOSTILE_OFFICE_FILES } from './shared/ooxml/hostile-fixture.ts'

const SECRET = 'what nobody may read'
const folder = await mkdtemp(join(tmpdir(), 'hostile-office-'))
const asked: (string | undefined)[] = []
const server = createServer((request, response) => {
  asked.push(request.url)
  response.end(SECRET)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const lures = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, file: join(folder, 'secret.txt') }
await writeFile(lures.file, SECRET)
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

const catalog = await loadCatalog()

/** All that the capabilities of a file's family write, but for pictures of pages, which another program draws. */
const extractAll = async (name: string, bytes: Buffer): Promise<string> => {
  const own = join(folder, name)
  const scratch = join(own, 'scratch')
  await mkdir(scratch, { recursive: true })
  const path = join(own, name)
  await writeFile(path, bytes)
  const source: Source = { path, name, extension: splitFileName(name).extension, bytes: bytes.length }
  const format = findFormat(catalog, source.extension)
  const capabilities = format?.capabilities.filter(({ output }) => output !== 'pages') ?? []
  const context: Context = {
    signal: new AbortController().signal,
    selected: new Set(capabilities.map(({ id }) => id)),
    scratch,
    progress: () => undefined,
    warn: () => undefined,
  }
  await format?.probe?.(source, context, {})
  let out = ''
  for (const capability of capabilities) {
    const defaults = Object.entries(capability.options).map(([id, { defaultValue }]) => [id, defaultValue])
    for await (const artifact of capability.extract(source, Object.fromEntries(defaults), context)) {
      if (!('data' in artifact)) continue
      const { data } = artifact
      for await (const piece of typeof data === 'string' || data instanceof Uint8Array ? [data] : data) {
        out += typeof piece === 'string' ? piece : Buffer.from(piece).toString('latin1')
      }
    }
  }
  expect(await readdir(own)).toEqual(expect.arrayContaining([name, 'scratch']))
  expect(await readdir(own)).toHaveLength(2)
  return out
}

describe('hostile office files', () => {
  test.each(HOSTILE_OFFICE_FILES.map((file) => [file.name, file] as const))('%s', async (name, { make, ends }) => {
    const extraction = extractAll(name, await make(lures))
    if (ends === 'shown') {
      const out = await extraction
      expect(out).toContain('Shown')
      expect(out).not.toContain(SECRET)
      if (name.startsWith('macros')) expect(out).toMatch(/"(?:macros|hasMacros)": true/)
    } else await expect(extraction).rejects.toMatchObject(ends)
    expect(asked).toEqual([])
  })
})
