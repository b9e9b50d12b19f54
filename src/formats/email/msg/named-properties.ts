import { readStream, type Storage } from './storage.ts'

const MAX_BYTES = 4 * 1_048_576

/** Numbers that named properties have in this file, by `set:name`, the name in hexadecimal. */
export const readNames = (root: Storage): Map<string, number> => {
  const names = new Map<string, number>()
  const storage = root.storages.find(({ name }) => name === '__nameid_version1.0')
  if (!storage) return names
  const sets = readStream(storage.streams.get('__substg1.0_00020102'), MAX_BYTES)
  const entries = readStream(storage.streams.get('__substg1.0_00030102'), MAX_BYTES)
  for (let at = 0; at + 8 <= entries.length; at += 8) {
    const kind = entries.readUInt16LE(at + 4)
    const isNumber = (kind & 1) === 0
    const set = (kind >> 1) - 3
    if (!isNumber || set < 0 || (set + 1) * 16 > sets.length) continue
    // The first four bytes tell the sets of Outlook apart.
    const setName = sets.readUInt32LE(set * 16).toString(16)
    names.set(`${setName}:${entries.readUInt32LE(at).toString(16)}`, 0x8000 + entries.readUInt16LE(at + 6))
  }
  return names
}
