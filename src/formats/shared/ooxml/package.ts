import type { Archive } from '../zip/open-archive.ts'

/** A pointer from one part to another, or to something outside. */
export type Relationship = {
  id: string
  /** Last piece of the type: `styles`, `image`, `hyperlink`. */
  type: string
  /** Name of a part; for an outside target its address. */
  target: string
  isExternal: boolean
}
export type Relationships = ReadonlyMap<string, Relationship>

/** An Office file: parts in an archive, tied together by relationships. */
export type OfficePackage = {
  readonly archive: Archive
  /** Where the document, presentation or workbook itself is. */
  readonly mainPart: string
  /** Relationships of the package itself. */
  readonly relationships: Relationships
  relationshipsOf(part: string): Promise<Relationships>
  /** Counts bytes of parts against the limit for the whole file. */
  spend(bytes: number, maximumBytes: number): void
  close(): void
}

/** The first relationship of a type that leads to a part. */
export const findByType = (relationships: Relationships, type: string): Relationship | undefined => {
  for (const relationship of relationships.values()) {
    if (relationship.type === type && !relationship.isExternal) return relationship
  }
  return undefined
}
