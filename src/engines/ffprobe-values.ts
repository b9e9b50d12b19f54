/** A number as ffprobe prints it, in a string or not; undefined for `N/A` and the like. */
export const toNumber = (value: unknown): number | undefined => {
  if (value === undefined || value === null || value === '') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

/** A fraction such as `30000/1001` or `4:3`; undefined where a part of it is zero. */
export const toRatio = (value: unknown): number | undefined => {
  const [over, under] = String(value ?? '').split(/[/:]/)
  const ratio = Number(over) / Number(under)
  return Number.isFinite(ratio) && ratio > 0 ? ratio : undefined
}

const MAX_TAG_CHARACTERS = 65_536

/** Tags with lower-case names, in the order of the file. */
export const toTags = (tags: unknown): Record<string, string> => {
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries((tags as object | undefined) ?? {})) {
    found.set(name.toLowerCase(), String(value).slice(0, MAX_TAG_CHARACTERS))
  }
  return Object.fromEntries(found)
}
