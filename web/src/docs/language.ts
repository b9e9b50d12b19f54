import { useSyncExternalStore } from 'react'

const STORED_AS = 'quarry.language'
const listeners = new Set<() => void>()
let chosen = readStored()

function readStored(): string {
  try {
    return localStorage.getItem(STORED_AS) ?? 'sh'
  } catch {
    return 'sh'
  }
}

const choose = (kind: string): void => {
  chosen = kind
  try {
    localStorage.setItem(STORED_AS, kind)
  } catch {
    // Without storage it lasts as long as the page.
  }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The language in which the reader wants examples, the same on all pages, and a way to change it. */
export const useLanguage = (): [string, (kind: string) => void] => [
  useSyncExternalStore(subscribe, () => chosen),
  choose,
]
