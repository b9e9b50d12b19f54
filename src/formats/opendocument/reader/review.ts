import { childOf, childrenOf, type Element, textOf } from '../../shared/xml/tree.ts'
import { plainLines } from './plain-lines.ts'
import type { Change, Comment, Reading } from './reading.ts'

const MAX_REMARKS = 50_000

/** Takes in a remark; where it has an end, the text up to it is what it is about. */
export const readAnnotation = (element: Element, reading: Reading): void => {
  if (reading.comments.length >= MAX_REMARKS) return
  const { attributes } = element
  const name = attributes['office:name'] ?? attributes['loext:name']
  const author = textOf(childOf(element, 'dc:creator')).trim()
  const date = textOf(childOf(element, 'dc:date')).trim()
  const initials = textOf(childOf(element, 'meta:creator-initials') ?? childOf(element, 'loext:sender-initials')).trim()
  const replyTo = attributes['loext:parent-name'] ?? attributes['office:parent-name']
  const isResolved = attributes['loext:resolved'] ?? attributes['office:resolved']
  const comment: Comment = {
    id: name ?? String(reading.comments.length + 1),
    ...(author ? { author } : {}),
    ...(initials ? { initials } : {}),
    ...(date ? { date } : {}),
    text: plainLines(element),
    ...(replyTo ? { replyTo } : {}),
    ...(isResolved === 'true' ? { resolved: true } : {}),
    ...(reading.slide === undefined ? {} : { slide: reading.slide }),
  }
  reading.comments.push(comment)
  if (name !== undefined) reading.openComments.set(name, comment)
}

/** The end of what a remark is about. */
export const endAnnotation = (element: Element, reading: Reading): void => {
  reading.openComments.delete(element.attributes['office:name'] ?? element.attributes['loext:name'] ?? '')
}

const KINDS: Readonly<Record<string, Change['kind']>> = {
  'text:insertion': 'insertion',
  'text:deletion': 'deletion',
  'text:format-change': 'format',
}

/** Takes in the list of tracked changes; what was deleted is kept there and not in the text. */
export const readChanges = (element: Element, reading: Reading): void => {
  for (const region of childrenOf(element, 'text:changed-region')) {
    if (reading.changes.size >= MAX_REMARKS) return
    const change = childrenOf(region).find(({ name }) => name in KINDS)
    const id = region.attributes['text:id'] ?? region.attributes['xml:id']
    if (!change || id === undefined) continue
    const info = childOf(change, 'office:change-info')
    const author = textOf(childOf(info, 'dc:creator')).trim()
    const date = textOf(childOf(info, 'dc:date')).trim()
    const kind = KINDS[change.name] as Change['kind']
    reading.changes.set(id, {
      kind,
      ...(author ? { author } : {}),
      ...(date ? { date } : {}),
      text: kind === 'deletion' ? plainLines(change) : '',
    })
  }
}

/** The beginning and the end of text that was inserted. */
export const markChange = (element: Element, reading: Reading): void => {
  const id = element.attributes['text:change-id'] ?? ''
  const change = reading.changes.get(id)
  if (element.name === 'text:change-end') reading.openChanges.delete(id)
  else if (element.name === 'text:change-start' && change) reading.openChanges.set(id, change)
}
