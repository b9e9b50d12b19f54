const HEAD_BYTES = 65_536
const MARK = '<!DOCTYPE'

/**
 * Takes the document type off the beginning of a file of a kind that declares one out of habit (NCX, FictionBook, old
 * MathML). What entities it declares is forgotten with it, so that none can be expanded.
 */
export const dropDocumentType = (content: Buffer): Buffer => {
  const head = content.subarray(0, HEAD_BYTES).toString('latin1')
  const start = head.indexOf(MARK)
  const end = start < 0 ? -1 : findEnd(head, start + MARK.length)
  return end < 0 ? content : Buffer.concat([content.subarray(0, start), content.subarray(end)])
}

/** Behind the bracket that closes the document type: not one in quotes, a comment or a declaration inside. */
const findEnd = (text: string, from: number): number => {
  let isInside = false
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (char === '"' || char === "'") at = text.indexOf(char, at + 1)
    else if (text.startsWith('<!--', at)) at = text.indexOf('-->', at)
    else if (char === '[') isInside = true
    else if (char === ']') isInside = false
    else if (char === '>' && !isInside) return at + 1
    if (at < 0) return -1
  }
  return -1
}
