import { type RefCallback, useCallback, useRef, useState } from 'react'

/** A player, where it is, and how to send it elsewhere. */
export type Playback = {
  ref: RefCallback<HTMLMediaElement>
  seconds: number
  isPlaying: boolean
  seek(seconds: number): void
  /** Goes to a time and plays on from there. */
  playFrom(seconds: number): void
}

/** Follows an element that plays sound. */
export const usePlayback = (): Playback => {
  const element = useRef<HTMLMediaElement>(null)
  const [seconds, setSeconds] = useState(0)
  const [isPlaying, setIsPlaying] = useState(false)
  const ref = useCallback((found: HTMLMediaElement | null) => {
    element.current = found
    if (!found) return
    const onTime = () => setSeconds(found.currentTime)
    const onState = () => setIsPlaying(!found.paused)
    const events = { timeupdate: onTime, seeking: onTime, play: onState, pause: onState, ended: onState }
    for (const [name, listener] of Object.entries(events)) found.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of Object.entries(events)) found.removeEventListener(name, listener)
      element.current = null
    }
  }, [])
  const seek = useCallback((to: number) => {
    const found = element.current
    if (!found) return
    found.currentTime = Math.max(0, Math.min(to, Number.isFinite(found.duration) ? found.duration : to))
    setSeconds(found.currentTime)
  }, [])
  const playFrom = useCallback(
    (to: number) => {
      seek(to)
      // A browser that forbids it says so in its own player.
      element.current?.play().catch(() => undefined)
    },
    [seek],
  )
  return { ref, seconds, isPlaying, seek, playFrom }
}
