import { uniquePaths } from '../../core/artifact-names.ts'
import type { Attachment, Mail } from './mail.ts'

/** The attachment behind an address in an HTML body: `cid:`, or where the page once lay. */
export const findByAddress = (
  attachments: readonly Attachment[],
  src: string,
  base: string | undefined,
): Attachment | undefined => {
  const [, cid] = /^cid:(.+)$/i.exec(src.trim()) ?? []
  if (cid !== undefined) {
    const id = safeDecode(cid)
    return attachments.find(({ contentId }) => contentId !== null && (contentId === id || contentId === cid))
  }
  if (/^data:/i.test(src)) return undefined
  const wanted = resolve(src.trim(), base)
  return attachments.find(
    ({ location }) => location !== null && (location === src || resolve(location, base) === wanted),
  )
}

const safeDecode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const resolve = (address: string, base: string | undefined): string => {
  if (!URL.canParse(address, base ?? 'thismessage:/')) return address
  return new URL(address, base ?? 'thismessage:/').href
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/msword': 'doc',
  'application/json': 'json',
  'application/xml': 'xml',
  'application/pkcs7-mime': 'p7m',
  'application/pkcs7-signature': 'p7s',
  'application/pgp-signature': 'asc',
  'application/pgp-encrypted': 'asc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/javascript': 'js',
  'text/javascript': 'js',
  'text/plain': 'txt',
  'text/html': 'html',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/calendar': 'ics',
  'text/vcard': 'vcf',
  'text/x-vcard': 'vcf',
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'image/bmp': 'bmp',
  'image/tiff': 'tiff',
  'image/x-icon': 'ico',
  'image/vnd.microsoft.icon': 'ico',
  'font/woff': 'woff',
  'font/woff2': 'woff2',
  'audio/mpeg': 'mp3',
  'video/mp4': 'mp4',
  'message/rfc822': 'eml',
}

/** A file name for an attachment, without folders; made up where the message gives none. */
export const nameAttachment = ({ name, mediaType, location, part, mail }: Attachment): string => {
  const extension = EXTENSIONS[mediaType] ?? (mediaType.startsWith('text/') ? 'txt' : 'bin')
  if (mail) {
    const title = (name?.replace(/\.eml$/i, '') || mail.subject || `message-${part}`).replace(/[/\\]/g, '_')
    return `${title.slice(0, 100)}.eml`
  }
  const given = name?.split(/[/\\]/).at(-1)?.trim()
  if (given) return /\.[^.\s]{1,10}$/.test(given) || extension === 'bin' ? given : `${given}.${extension}`
  const last = location
    ? safeDecode(
        location
          .replace(/[?#].*$/, '')
          .split('/')
          .at(-1) ?? '',
      )
    : ''
  if (last !== '' && last.length <= 100) return /\.[^.]{1,10}$/.test(last) ? last : `${last}.${extension}`
  return `part-${part}.${extension}`
}

export type PlacedAttachment = { attachment: Attachment; path: string }

const MAX_DEPTH = 10

/** Every attachment of a message with its path in the result; those of a message inside lie in a folder of its name. */
export const placeAttachments = (mail: Mail, folder: string): PlacedAttachment[] => {
  const unique = uniquePaths()
  const placed: PlacedAttachment[] = []
  const place = (attachments: readonly Attachment[], within: string, depth: number): void => {
    for (const attachment of attachments) {
      const path = unique(`${within}/${nameAttachment(attachment)}`)
      placed.push({ attachment, path })
      if (attachment.mail && depth < MAX_DEPTH)
        place(attachment.mail.attachments, path.replace(/\.eml$/i, ''), depth + 1)
    }
  }
  place(mail.attachments, folder, 0)
  return placed
}
