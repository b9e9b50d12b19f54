const number = new Intl.NumberFormat('en')
const decimal = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const dateTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

export const formatNumber = (value: number): string => number.format(value)

/** `1 credit`, `12 credits`. */
export const formatCredits = (credits: number): string => `${number.format(credits)} credit${credits === 1 ? '' : 's'}`

/** In the units that the service counts in: 1 MB is 1,048,576 bytes. */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} B`
  const step = Math.min(4, Math.floor(Math.log2(bytes) / 10))
  return `${decimal.format(bytes / 1024 ** step)} ${['B', 'KB', 'MB', 'GB', 'TB'][step]}`
}

/** `1:02:03`, `4:05`. */
export const formatDuration = (seconds: number): string => {
  const whole = Math.round(seconds)
  const parts = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}

/** In the reader's own time zone. */
export const formatTime = (iso: string): string => dateTime.format(new Date(iso))

/** With a capital letter at the start. */
export const toSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
