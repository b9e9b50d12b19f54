/** What the viewer leaves without a name, and the name it should have. */
const NAMES: Readonly<Record<string, string>> = {
  '.close-modal': 'Close',
  '.body-param__text': 'Request body',
  // Its name must hold what is written on it.
  '.modal-btn.auth.authorize': 'Authorize',
}

/** Gives names to the controls of the viewer that have none, now and whenever it draws more. */
export const nameControls = (viewer: HTMLElement): void => {
  const name = () => {
    for (const [selector, label] of Object.entries(NAMES)) {
      for (const control of viewer.querySelectorAll(`${selector}:not([aria-label="${label}"])`)) {
        control.setAttribute('aria-label', label)
      }
    }
  }
  new MutationObserver(name).observe(viewer, { childList: true, subtree: true })
  name()
}
