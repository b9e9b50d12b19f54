import { Component, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Notice } from './feedback.tsx'

type Props = { words: string; children: ReactNode }

/**
 * Keeps a part that fails from taking the rest of the page with it. It fails above all when the site was renewed while
 * the page was open, and the script of the old one is gone.
 */
export class Guard extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false }
  static getDerivedStateFromError() {
    return { hasFailed: true }
  }
  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <Notice tone="warning">
        <p>{this.props.words}</p>
        <Button small onClick={() => location.reload()}>
          Load the page again
        </Button>
      </Notice>
    )
  }
}
