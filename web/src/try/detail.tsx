/** A sentence of the catalog: what stands between backticks is code. */
export const Detail = ({ text }: { text: string }) =>
  text.split('`').map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change places
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  )
