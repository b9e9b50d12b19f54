import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { startTestService } from '../support/service.ts'

const PROMPT_MS = 15_000

const open = async (base: string, text: string): Promise<Socket> => {
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  if (text) socket.write(text)
  return socket
}
const isPrompt = (work: Promise<void>) =>
  Promise.race([work.then(() => true), new Promise<false>((resolve) => setTimeout(resolve, PROMPT_MS, false).unref())])

test('clients that are connected and silent do not hold the service up', async () => {
  const service = await startTestService()
  const sockets = await Promise.all([
    open(service.base, ''),
    open(service.base, 'GET /healthz HTTP/1.1\r\nHo'),
    open(service.base, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'),
  ])
  await once(sockets[2] as Socket, 'data')
  expect(await isPrompt(service.stop())).toBe(true)
  for (const socket of sockets) socket.destroy()
})
test('an upload that never ends is cut off when the time to stop is over', async () => {
  const service = await startTestService({ QUARRY_SHUTDOWN_SECONDS: '1' })
  const { key } = await service.account()
  const head = [
    'POST /extract HTTP/1.1',
    'Host: x',
    `X-Fast-Api-Key: ${key}`,
    'Content-Type: multipart/form-data; boundary=b',
    'Content-Length: 1000000',
    '',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc',
  ]
  const socket = await open(service.base, head.join('\r\n'))
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(await isPrompt(service.stop())).toBe(true)
  socket.destroy()
})
