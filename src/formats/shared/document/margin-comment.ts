/** A remark in the margin. */
export type MarginComment = {
  id: string
  author?: string
  initials?: string
  date?: string
  text: string
  /** The text that it is attached to. */
  commentedText?: string
  /** The comment that it answers. */
  replyTo?: string
  resolved?: boolean
}
