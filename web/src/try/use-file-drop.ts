import { useEffect, useRef, useState } from 'react'

/** Takes what was chosen, dropped or pasted; a folder is told apart by the word. */
export type FilePick = (files: readonly File[] | 'folder') => void

/** Takes files that are dropped or pasted anywhere on the page; true while one hangs over it. */
export const useFileDrop = (pick: FilePick): boolean => {
  const [isOver, setIsOver] = useState(false)
  const latest = useRef(pick)
  latest.current = pick
  useEffect(() => {
    // Entering a child comes before leaving its parent: only the sum says whether the page was left.
    let depth = 0
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false
    const enter = (event: DragEvent) => {
      if (hasFiles(event)) setIsOver(++depth > 0)
    }
    const leave = (event: DragEvent) => {
      if (hasFiles(event)) setIsOver(--depth > 0)
    }
    // Without this the browser would leave the page and show the file.
    const over = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      depth = 0
      setIsOver(false)
      const isFolder = [...(event.dataTransfer?.items ?? [])].some((item) => item.webkitGetAsEntry()?.isDirectory)
      latest.current(isFolder ? 'folder' : [...(event.dataTransfer?.files ?? [])])
    }
    const paste = ({ clipboardData }: ClipboardEvent) => {
      const files = [...(clipboardData?.files ?? [])]
      if (files.length > 0) latest.current(files)
    }
    const listeners = { dragenter: enter, dragleave: leave, dragover: over, drop, paste }
    for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name, listener as EventListener)
    return () => {
      for (const [name, listener] of Object.entries(listeners)) {
        window.removeEventListener(name, listener as EventListener)
      }
    }
  }, [])
  return isOver
}
