import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { RequestError } from '../../core/errors.ts'

/** How long a ticket is good. The store keeps what no job refers to for longer than this, and then deletes it. */
export const TICKET_MINUTES = 10

const ticketSchema = z.object({
  jobId: z.string(),
  accountId: z.string(),
  name: z.string(),
  extension: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  metrics: z.object({
    bytes: z.number(),
    durationSeconds: z.number().optional(),
    pages: z.number().optional(),
    slides: z.number().optional(),
    sheets: z.number().optional(),
    frames: z.number().optional(),
  }),
  expiresAt: z.number().describe('Milliseconds since 1970'),
})

/** What is known of a file that was measured and is kept: enough to make a job of it. */
export type Ticket = z.infer<typeof ticketSchema>

/** The ticket as text that only this service can have written. */
export const makeTicket = (signingKey: Buffer, ticket: Ticket): string => {
  const payload = Buffer.from(JSON.stringify(ticket)).toString('base64url')
  return `${payload}.${sign(signingKey, payload)}`
}

/** Reads a ticket back; refuses what this service did not write, what is another account's, and what is too old. */
export const readTicket = (signingKey: Buffer, text: string, accountId: string, now = Date.now()): Ticket => {
  const [payload = '', signature = '', ...rest] = text.split('.')
  const [expected, given] = [Buffer.from(sign(signingKey, payload)), Buffer.from(signature)]
  const isOurs = rest.length === 0 && expected.length === given.length && timingSafeEqual(expected, given)
  const ticket = isOurs ? ticketSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))) : undefined
  if (ticket?.accountId !== accountId) {
    throw new RequestError('request.invalid_parameter', { path: 'ticket' }, { detail: 'This is not your ticket.' })
  }
  if (ticket.expiresAt <= now) throw new RequestError('uploads.expired')
  return ticket
}

const sign = (signingKey: Buffer, payload: string): string =>
  createHmac('sha256', signingKey).update(`measured-file\n${payload}`).digest('base64url')
