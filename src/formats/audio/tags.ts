/** A picture that a file holds, as it is there. */
export type Picture = {
  data: Uint8Array
  /** As the file says; what it really is shows in its first bytes. */
  mediaType: string
  /** What it shows, in the words of ID3: `Cover (front)`, `Artist`, …; `Chapter` for one that belongs to a chapter. */
  kind: string
  description?: string
}

export type NativeTag = { id: string; value: unknown }

/** What the tag reader found. */
export type FoundTags = {
  /** By names that are the same for all kinds of tags. */
  common: Readonly<Record<string, unknown>>
  /** As they are in the file, by kind. */
  native: Readonly<Record<string, readonly NativeTag[]>>
  pictures: readonly Picture[]
  tool?: string
  trackGainDb?: number
  albumGainDb?: number
  trackPeak?: number
  /** Why the reader gave up, where it did. */
  problem?: string
}

export const NO_TAGS: FoundTags = { common: {}, native: {}, pictures: [] }
