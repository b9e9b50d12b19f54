const BOUNDARY = 'quarry-4f7c1d0be2a84b39a6a5'

/**
 * A form with one file. Not FormData: when a request with one is given up while the file is being read, fetch of
 * Node 24 leaves behind a rejection that nobody can catch.
 */
export const makeForm = (
  fields: readonly (readonly [string, string])[],
  file: { name: string; content: Blob },
): Blob => {
  const head = fields.map(([name, value]) => part(`name="${name}"`, `\r\n${value}\r\n`)).join('')
  const opening = part(`name="file"; filename="${file.name}"`, `Content-Type: ${file.content.type}\r\n\r\n`)
  const end = `\r\n--${BOUNDARY}--\r\n`
  return new Blob([head, opening, file.content, end], { type: `multipart/form-data; boundary=${BOUNDARY}` })
}

const part = (disposition: string, rest: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n${rest}`
