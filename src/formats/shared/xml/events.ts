/** Attributes of an element by canonical name. */
export type Attributes = Readonly<Record<string, string | undefined>>

/** What the reader meets, in document order. Names carry the canonical prefix of their namespace: `w:p`. */
export type XmlEvents = {
  open(name: string, attributes: Attributes): void
  close(name: string): void
  text(text: string): void
}
