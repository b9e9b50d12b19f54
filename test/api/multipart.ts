import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { TestService } from '../support/service.ts'

export type Part = { headers: readonly string[]; body: string | Uint8Array }
export const BOUNDARY = 'quarry-test-boundary'
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`

/** The form part of a file; `more` are further header lines. */
export const filePart = (fileName: string, body: string | Uint8Array, more: readonly string[] = []): Part => ({
  headers: [`Content-Disposition: form-data; name="file"; filename="${fileName}"`, ...more],
  body,
})
export const fieldPart = (name: string, body: string): Part => ({
  headers: [`Content-Disposition: form-data; name="${name}"`],
  body,
})

/** A multipart body to the letter, with what a well-behaved client would never write. */
export const writeForm = (parts: readonly Part[], end = `--${BOUNDARY}--\r\n`): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ headers, body }) => [
      Buffer.from(`--${BOUNDARY}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`),
      Buffer.from(body as string),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(end),
  ])

export type RawAnswer = { status: number; headers: Headers; body: string }

const parseAnswer = (text: string): RawAnswer | undefined => {
  const final = text.replace(/^(?:HTTP\/1\.1 100 [^\r]*\r\n\r\n)+/, '')
  const headEnd = final.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [first = '', ...lines] = final.slice(0, headEnd).split('\r\n')
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  const headers = new Headers(pairs)
  const body = final.slice(headEnd + 4)
  if (Buffer.byteLength(body) < Number(headers.get('content-length') ?? 0)) return undefined
  return { status: Number(first.split(' ')[1]), headers, body }
}

/** A connection whose bytes the test writes itself. */
export const openSocket = (base: string) => {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  let text = ''
  const answered = Promise.withResolvers<RawAnswer>()
  answered.promise.catch(() => undefined)
  socket.on('data', (chunk) => {
    text += chunk.toString('utf8')
    const answer = parseAnswer(text)
    if (answer) answered.resolve(answer)
  })
  socket.on('error', (error) => answered.reject(error))
  socket.on('close', () => answered.reject(new Error(`closed without an answer: ${JSON.stringify(text)}`)))
  return {
    socket,
    write: (data: string | Uint8Array) =>
      new Promise<void>((resolve, reject) => socket.write(data, (error) => (error ? reject(error) : resolve()))),
    /** What came so far, interim answers too. */
    text: () => text,
    answer: () => answered.promise,
  }
}

/** Sends bytes as they are and reads one answer. */
export const sendRaw = async (base: string, bytes: string | Uint8Array): Promise<RawAnswer> => {
  const { socket, write, answer } = openSocket(base)
  try {
    await write(bytes)
    return await answer()
  } finally {
    socket.destroy()
  }
}

/** Uploads that are neither whole nor gone: on their way in, and in the store. */
export const listUploads = async ({ dataFolder }: TestService): Promise<string[]> => {
  const list = async (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
  const work = join(dataFolder, 'work')
  const incoming = await Promise.all((await list(work)).map((name) => list(join(work, name, 'incoming'))))
  return [...incoming.flat(), ...(await list(join(dataFolder, 'blobs/uploads')))]
}

/** Asks again until it is so; fails with the last word when it never is. */
export const until = async <T>(
  ask: () => Promise<T> | T,
  isSo: (value: T) => boolean,
  timeoutMs = 20_000,
): Promise<T> => {
  const giveUpAt = Date.now() + timeoutMs
  for (;;) {
    const value = await ask()
    if (isSo(value)) return value
    if (Date.now() > giveUpAt) throw new Error(`still ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
