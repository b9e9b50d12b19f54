/** A small JSON artifact, indented, with a final newline. */
export const writeJsonFile = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
