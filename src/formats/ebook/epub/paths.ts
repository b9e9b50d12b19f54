import { posix } from 'node:path'

/** The name in the archive that an address in one of its files means; undefined where it leads out of the archive. */
export const resolvePath = (href: string, from: string): { path: string; fragment: string } | undefined => {
  const [, address = '', fragment = ''] = /^([^#]*)(?:#([\s\S]*))?$/.exec(href.trim()) ?? []
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(address)) return undefined
  if (address === '') return { path: from, fragment: decode(fragment) }
  const [plain = ''] = address.split('?')
  const decoded = decode(plain).replaceAll('\\', '/')
  const joined = posix.normalize(decoded.startsWith('/') ? decoded.slice(1) : posix.join(posix.dirname(from), decoded))
  // What climbs out of the archive means its root to many writers.
  return { path: joined.replace(/^(?:\.\.\/)+/, ''), fragment: decode(fragment) }
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
