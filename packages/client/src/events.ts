import { CLIENT_ERRORS, ConnectionError } from './errors.ts'
import { hasEnded, type JobRecord, readJobRecord } from './records.ts'
import { backOff, type OpenAnswer, pause, type Transport } from './transport.ts'

// The service sends the record at once, and a sign of life every 15 seconds.
const FIRST_EVENT_MS = 15_000
const SILENCE_MS = 45_000

/** An event of a stream of server-sent events. */
export type ServerEvent = { name: string; data: string }

/** Follows one job: its record now, and after each change, until it ends. A broken stream is opened again. */
export async function* followJob(
  transport: Transport,
  id: string,
  { signal, maxRetries = transport.maxRetries }: { signal?: AbortSignal | undefined; maxRetries?: number } = {},
): AsyncGenerator<JobRecord> {
  let last = ''
  for (let failures = 0; ; failures++) {
    try {
      const answer = await transport.open({
        path: `/job/${encodeURIComponent(id)}/events`,
        headers: { accept: 'text/event-stream' },
        timeoutMs: FIRST_EVENT_MS,
        maxRetries,
        // A broken connection is met below, with those that break later.
        isRepeatable: false,
        signal,
      })
      for await (const { name, data } of readEvents(answer)) {
        if (name !== 'job' || data === last) continue
        failures = 0
        last = data
        const record = readJobRecord(JSON.parse(data))
        yield record
        if (hasEnded(record)) return
      }
      // The service is shutting down, or something between cut the stream.
      throw new ConnectionError('client.connection_failed', { detail: 'The stream of events ended before the job.' })
    } catch (error) {
      if (!(error instanceof ConnectionError) || failures >= maxRetries) throw error
      await pause(backOff(failures) * 1000, signal)
    }
  }
}

const readEvents = (answer: OpenAnswer): AsyncGenerator<ServerEvent> => {
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) {
    throw new ConnectionError('client.connection_failed', { detail: CLIENT_ERRORS['client.unexpected_answer'] })
  }
  return parseEvents(answer.chunks(SILENCE_MS))
}

/** The events of a stream as it comes, wherever its pieces are cut. */
export async function* parseEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  let name = ''
  let data: string[] = []
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true })
    // A carriage return at the end may be half of a line break.
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { name: name || 'message', data: data.join('\n') }
        name = ''
        data = []
        continue
      }
      const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
      if (field === 'event') name = value
      else if (field === 'data') data.push(value)
    }
  }
}
