import { Button } from './button.tsx'

/** Asks for the next page of a list; nothing when there is none. */
export const MoreButton = ({ onMore, busy }: { onMore: (() => unknown) | undefined; busy: boolean }) =>
  onMore && (
    <div>
      <Button busy={busy} onClick={onMore}>
        More
      </Button>
    </div>
  )
