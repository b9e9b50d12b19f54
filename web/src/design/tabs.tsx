import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'

export type Tab = { id: string; label: ReactNode; content: () => ReactNode }

/** One of several views at a time; arrow keys go between them. Who gives `onChoose` keeps the choice. */
export const Tabs = ({
  label,
  tabs,
  chosen: given,
  onChoose,
}: {
  label: string
  tabs: readonly Tab[]
  chosen?: string
  onChoose?(id: string): void
}) => {
  const base = useId()
  const [own, setOwn] = useState(tabs[0]?.id)
  const chosen = onChoose ? given : own
  const choose = onChoose ?? setOwn
  const list = useRef<HTMLDivElement>(null)
  const current = tabs.find(({ id }) => id === chosen) ?? tabs[0]
  if (!current) return null
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const index = (tabs.indexOf(current) + step + tabs.length) % tabs.length
    choose(tabs[index]?.id ?? current.id)
    list.current?.querySelectorAll('button')[index]?.focus()
  }
  return (
    <div className="stack">
      <div ref={list} className="tabs" role="tablist" aria-label={label} onKeyDown={move} tabIndex={-1}>
        {tabs.map(({ id, label: text }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}-${id}`}
            aria-selected={id === current.id}
            aria-controls={`${base}-panel`}
            tabIndex={id === current.id ? 0 : -1}
            onClick={() => choose(id)}
          >
            {text}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${current.id}`}>
        {current.content()}
      </div>
    </div>
  )
}
