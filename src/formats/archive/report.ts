import type { Context } from '../../core/catalog.ts'
import { showName } from './names.ts'

/** Collects what happened to members, so that a client gets one warning for each kind of it. */
export type Report = {
  add(code: ReportCode, name: string, note?: string): void
  count(code: ReportCode): number
  /** Tells the client. */
  send(): void
}

const DETAILS = {
  'archive.member_damaged': 'Damaged and left out',
  'archive.member_cut': 'Damaged, and given only as far as could be read',
  'archive.member_encrypted': 'Encrypted and left out, as no password or another one was sent',
  'archive.unsafe_name': 'Left out because the name leads outside the folder',
  'archive.not_a_file': 'Left out because it is a link or a device',
  'archive.nested_unopened': 'Archives that could not be opened',
  'archive.nested_too_deep': 'Archives left closed, as they lie too deep or are too many',
  'archive.member_too_large': 'Too large to be read',
  'archive.member_failed': 'Not readable as what the name says',
} as const
export type ReportCode = keyof typeof DETAILS

const SHOWN_NAMES = 5
const SHOWN_CHARACTERS = 120

export const createReport = (context: Context): Report => {
  const found = new Map<ReportCode, { count: number; shown: string[] }>()
  return {
    add(code, name, note) {
      const entry = found.get(code) ?? { count: 0, shown: [] }
      found.set(code, entry)
      entry.count += 1
      if (entry.shown.length >= SHOWN_NAMES) return
      const shown = showName(name)
      const short = shown.length > SHOWN_CHARACTERS ? `…${shown.slice(-SHOWN_CHARACTERS)}` : shown
      entry.shown.push(note ? `${short} (${note})` : short)
    },
    count: (code) => found.get(code)?.count ?? 0,
    send() {
      for (const [code, { count, shown }] of found) {
        const more = count > shown.length ? ` and ${count - shown.length} more` : ''
        context.warn(code, `${DETAILS[code]} (${count}): ${shown.join(', ')}${more}.`)
      }
      found.clear()
    },
  }
}
