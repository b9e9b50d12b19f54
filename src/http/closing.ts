import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Ends connections when the app closes: at once those that wait for a request, the others with their answer or, when
 * that does not come, after a while. Node counts a connection that has not yet sent its first request as busy, and one
 * that falls idle during the close is kept alive: either would hold the close up for a minute.
 */
export const endConnectionsOnClose = (app: FastifyInstance, graceMs: number): void => {
  const server = app.server as Server
  const waiting = new Set<Socket>()
  let closing = false
  server.on('connection', (socket) => {
    if (closing) return socket.destroy()
    waiting.add(socket)
    socket.once('close', () => waiting.delete(socket))
  })
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    waiting.delete(socket)
    response.once('close', () => {
      if (socket.destroyed) return
      if (closing) socket.destroySoon()
      else waiting.add(socket)
    })
  })
  app.addHook('preClose', async () => {
    closing = true
    for (const socket of waiting) socket.destroy()
    setTimeout(() => server.closeAllConnections(), graceMs).unref()
  })
}
