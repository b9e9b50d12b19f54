import { ApiError } from '../api/client.ts'

/** Sends a form and tells how much of it is on its way, which `fetch` cannot. */
export const upload = <T>(
  path: string,
  form: FormData,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (percent: number) => void },
): Promise<T> =>
  new Promise((resolve, reject) => {
    const sender = new XMLHttpRequest()
    sender.open('POST', path)
    sender.responseType = 'text'
    sender.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total > 0 ? (loaded / total) * 100 : 0),
    )
    sender.addEventListener('load', () => {
      const isJson = sender.getResponseHeader('content-type')?.startsWith('application/json') ?? false
      const body: unknown = isJson && sender.responseText !== '' ? JSON.parse(sender.responseText) : {}
      if (sender.status >= 200 && sender.status < 300) resolve(body as T)
      else reject(new ApiError(sender.status, body as object))
    })
    // As `fetch` names it when nobody answers.
    sender.addEventListener('error', () => reject(new TypeError('the service could not be reached')))
    sender.addEventListener('abort', () => reject(signal.reason))
    signal.addEventListener('abort', () => sender.abort(), { once: true })
    if (signal.aborted) reject(signal.reason)
    else sender.send(form)
  })

/** A file and its options as the service takes them: the options first, so that wrong ones stop the file. */
export const toForm = (file: File, options: object): FormData => {
  const form = new FormData()
  form.append('options', JSON.stringify(options))
  form.append('file', file, file.name)
  return form
}
