/** The path of a file in the result that a document in it refers to; undefined when it points elsewhere. */
export const resolvePath = (fromPath: string, reference: string): string | undefined => {
  const [address = ''] = reference.split(/[?#]/)
  if (address === '' || /^[a-z][a-z\d+.-]*:|^\//i.test(address)) return undefined
  const parts = fromPath.split('/').slice(0, -1)
  for (const part of decodeAddress(address).split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

const decodeAddress = (address: string): string => {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}
