import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const LINGER_MS = 2000
const expecting = new WeakSet<IncomingMessage>()

/**
 * Lets a refusal reach a client that is still sending. Closing at once would reset the connection and could take the
 * answer with it, so what still comes is thrown away for a moment, then the connection is cut. A client that asked
 * first (`Expect: 100-continue`) is told no before it sends anything.
 */
export const answerBeforeTheBody = (app: FastifyInstance): void => {
  const server = app.server as Server
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    expecting.add(request)
    server.emit('request', request, response)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    // The promised body will never come; without this the next request would be read as if it were that body.
    if (expecting.has(request.raw)) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('onResponse', async ({ raw }) => {
    if (raw.complete || expecting.has(raw) || raw.destroyed) return
    raw.resume()
    const cut = setTimeout(() => raw.socket.destroy(), LINGER_MS)
    raw.once('close', () => clearTimeout(cut))
  })
}

/** Asks a waiting client for its body; to be called when it will be read. */
export const welcomeBody = (request: FastifyRequest, response: ServerResponse): void => {
  if (expecting.delete(request.raw)) response.writeContinue()
}
