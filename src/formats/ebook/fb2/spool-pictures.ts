import { closeSync, mkdtempSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { uniquePaths } from '../../../core/artifact-names.ts'
import type { Attributes } from '../../shared/xml/events.ts'
import type { Picture, PictureReader } from '../book.ts'

const MAX_PICTURES = 20_000
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
}

/** Writes pictures that come as base64 to files of the job. */
export const createSpool = (scratch: string) => {
  let folder: string | undefined
  const pictures: Picture[] = []
  const files = new Map<string, string>()
  const givePath = uniquePaths()
  let descriptor: number | undefined
  let current: { id: string; mediaType: string; bytes: number } | undefined
  let rest = ''
  const write = (text: string): void => {
    if (descriptor === undefined || !current || text === '') return
    const bytes = Buffer.from(text, 'base64')
    writeSync(descriptor, bytes)
    current.bytes += bytes.length
  }
  return {
    pictures,
    begin({ id = '', 'content-type': contentType = '' }: Attributes): void {
      if (id === '' || files.has(id) || pictures.length >= MAX_PICTURES) return
      folder ??= mkdtempSync(join(scratch, 'fb2-'))
      const file = join(folder, String(files.size + 1))
      files.set(id, file)
      const mediaType = contentType.toLowerCase().replace('image/jpg', 'image/jpeg')
      current = { id, mediaType: EXTENSIONS[mediaType] ? mediaType : 'application/octet-stream', bytes: 0 }
      descriptor = openSync(file, 'w')
      rest = ''
    },
    add(text: string): void {
      // Base64 can only be cut after every fourth sign.
      const signs = rest + text.replace(/[^A-Za-z\d+/]/g, '')
      const whole = signs.length - (signs.length % 4)
      write(signs.slice(0, whole))
      rest = signs.slice(whole)
    },
    end(): void {
      write(rest)
      rest = ''
      if (descriptor !== undefined) closeSync(descriptor)
      if (current && current.bytes > 0) {
        const stem = current.id.replace(/\.[a-z]{3,4}$/i, '')
        const extension = EXTENSIONS[current.mediaType] ?? /\.([a-z\d]{2,4})$/i.exec(current.id)?.[1] ?? 'bin'
        pictures.push({ ...current, path: givePath(`images/${stem}.${extension}`) })
      }
      descriptor = undefined
      current = undefined
    },
    open: async (): Promise<PictureReader> => ({
      read: async ({ id }) => readFileSync(files.get(id) ?? ''),
      close: () => undefined,
    }),
  }
}
