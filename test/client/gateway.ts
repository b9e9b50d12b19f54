import { createServer as createHttpServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net'

export type Gateway = { base: string; close(): Promise<void> }

const listen = async (server: Server): Promise<Gateway> => {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}

/** A proxy that cuts each connection after so many bytes of the service's answers. */
export const startCuttingProxy = async (
  target: string,
  bytesPerConnection: number,
): Promise<Gateway & { cuts(): number }> => {
  let cuts = 0
  const server = createTcpServer((client) => {
    const upstream = connect(Number(new URL(target).port), '127.0.0.1')
    let left = bytesPerConnection
    for (const socket of [client, upstream]) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream)
    upstream.on('data', (chunk: Buffer) => {
      if (left <= 0) return
      const passed = chunk.subarray(0, left)
      left -= passed.length
      if (left > 0) {
        if (!client.write(passed)) {
          upstream.pause()
          client.once('drain', () => upstream.resume())
        }
        return
      }
      cuts += 1
      client.end(passed, () => client.destroy())
    })
  })
  return { ...(await listen(server)), cuts: () => cuts }
}

/** What a gateway does to a request: answers it itself, passes it on with a change, or loses the answer. */
export type Deed =
  | { status: number; headers?: Record<string, string>; body?: string }
  | { change: (chunk: Buffer) => Buffer }
  | 'lose-answer'
  | 'pass'

/** A gateway before the service that does with each request what the test says. */
export const startGateway = async (
  target: string | (() => string),
  decide: (request: IncomingMessage, count: number) => Deed,
): Promise<Gateway & { seen: { method: string; path: string; headers: IncomingMessage['headers'] }[] }> => {
  const seen: { method: string; path: string; headers: IncomingMessage['headers'] }[] = []
  const server = createHttpServer((incoming, response) => {
    seen.push({ method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers })
    const deed = decide(incoming, seen.length)
    if (typeof deed === 'object' && 'status' in deed) {
      incoming.resume()
      incoming.once('end', () => response.writeHead(deed.status, deed.headers).end(deed.body))
      return
    }
    pass(typeof target === 'string' ? target : target(), incoming, response, deed)
  })
  return { ...(await listen(server)), seen }
}

const pass = (
  target: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  deed: Exclude<Deed, { status: number }>,
) => {
  const outgoing = request(
    `${target}${incoming.url}`,
    { method: incoming.method ?? 'GET', headers: incoming.headers, agent: false },
    (answer) => {
      if (deed === 'lose-answer') {
        answer.resume()
        answer.once('end', () => incoming.socket.destroy())
        return
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.on('data', (chunk: Buffer) => response.write(typeof deed === 'object' ? deed.change(chunk) : chunk))
      answer.once('end', () => response.end())
      answer.once('error', () => response.destroy())
    },
  )
  outgoing.on('error', () => response.destroy())
  response.on('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}
