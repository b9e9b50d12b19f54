/** A sentence in which `such` words are code. */
export const Words = ({ text }: { text: string }) =>
  // Every second piece stood between backticks.
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name
  text.split('`').map((piece, at) => (at % 2 === 1 ? <code key={at}>{piece}</code> : piece))

/** A value as it is written in JSON. */
export const Value = ({ value }: { value: unknown }) => <code>{JSON.stringify(value)}</code>
