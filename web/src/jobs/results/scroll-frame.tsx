import type { ReactNode, Ref } from 'react'

/** A frame that scrolls inside itself: named, and reached by the keyboard. */
export const ScrollFrame = ({
  label,
  className,
  dir,
  ref,
  children,
}: {
  label: string
  className: string
  dir?: 'auto'
  ref?: Ref<HTMLDivElement>
  children: ReactNode
}) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without a place in the order it could not be scrolled by keys
  <div ref={ref} className={className} role="group" aria-label={label} tabIndex={0} dir={dir}>
    {children}
  </div>
)
