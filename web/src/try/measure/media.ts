const PATIENCE_MS = 8_000

/** Seconds that a recording lasts, by the browser's own player; undefined where it cannot play it or does not know. */
export const measureDuration = (file: Blob, signal: AbortSignal): Promise<number | undefined> =>
  new Promise((resolve) => {
    const url = URL.createObjectURL(file)
    const player = document.createElement('video')
    const end = (seconds?: number) => {
      clearTimeout(timer)
      player.removeAttribute('src')
      player.load()
      URL.revokeObjectURL(url)
      resolve(seconds !== undefined && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined)
    }
    const timer = setTimeout(() => end(), PATIENCE_MS)
    signal.addEventListener('abort', () => end(), { once: true })
    player.preload = 'metadata'
    player.muted = true
    player.addEventListener('loadedmetadata', () => end(player.duration), { once: true })
    player.addEventListener('error', () => end(), { once: true })
    player.src = url
  })
