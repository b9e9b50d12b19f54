import { type ComponentType, type MouseEvent, type ReactNode, useEffect } from 'react'
import { useLocation } from 'wouter'
import type { Guide } from '../../build/guides.ts'
import { useTitle } from '../site.tsx'
import { Code, Example } from './code.tsx'
import styles from './docs.module.css'

export type Slots = Readonly<Record<string, ComponentType>>

/** A page of the guides: its text, its code, what the service adds, and a list of what is on it. */
export const GuideView = ({ guide, slots = {} }: { guide: Guide; slots?: Slots }) => {
  useTitle(guide.title)
  useHash(guide)
  const follow = useFollow()
  return (
    <div className={styles.guide}>
      {/* The links inside are keyboard-operable by themselves; this only keeps them within the page. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: see above */}
      <div className={styles.text} onClick={follow}>
        {guide.parts.map((part, at) => {
          const key = `${guide.title}-${at}`
          if (part.type === 'prose') return <Prose key={key} html={part.html} />
          if (part.type === 'code') return <Code key={key} code={part.block.code} />
          if (part.type === 'example') return <Example key={key} blocks={part.blocks} />
          const Slot = slots[part.name]
          return Slot ? <Slot key={key} /> : null
        })}
      </div>
      <Contents headings={guide.headings} />
    </div>
  )
}

/** What is on the page, beside it where there is room. */
export const Contents = ({ headings }: { headings: readonly { id: string; text: string }[] }): ReactNode =>
  headings.length > 1 && (
    <nav className={styles.contents} aria-label="On this page">
      <p className="small muted">On this page</p>
      {headings.map(({ id, text }) => (
        <a key={id} href={`#${id}`}>
          {text}
        </a>
      ))}
    </nav>
  )

const Prose = ({ html }: { html: string }) => (
  // Written by the build from our own files, in which HTML is not let through.
  // biome-ignore lint/security/noDangerouslySetInnerHtml: see above
  <div dangerouslySetInnerHTML={{ __html: html }} />
)

/** Goes to the place that the address names, once what is there has come. */
export const useHash = (ready: unknown): void => {
  useEffect(() => {
    if (!ready || location.hash.length < 2) return
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
  }, [ready])
}

/** Links of the text that lead to other pages of the site are followed without loading it anew. */
const useFollow = () => {
  const [, navigate] = useLocation()
  return (event: MouseEvent) => {
    const link = (event.target as Element).closest('a')
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!link || !isPlain || link.origin !== location.origin || event.defaultPrevented) return
    if (link.pathname === location.pathname || link.pathname === '/docs/api') return
    event.preventDefault()
    navigate(link.pathname + link.search + link.hash)
  }
}
