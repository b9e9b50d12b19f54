import { attributeOf, scanXml } from './scan-xml.ts'
import type { Zip } from './zip.ts'

const MAX_PART_BYTES = 16 * 1_048_576

/** Pages of the printed book, where an EPUB lists them in its navigation; all others must be read to be measured. */
export const countListedPages = async (zip: Zip): Promise<number | undefined> => {
  const packagePath = await findPackage(zip)
  if (packagePath === undefined) return undefined
  const folder = packagePath.slice(0, packagePath.lastIndexOf('/') + 1)
  let navigation: string | undefined
  await scanXml(zip.open(packagePath, MAX_PART_BYTES), {
    open(name, attributes) {
      if (!/^(?:\w+:)?item$/.test(name)) return
      const properties = attributeOf(attributes, 'properties')?.split(/\s+/) ?? []
      if (properties.includes('nav')) navigation ??= attributeOf(attributes, 'href')
    },
  })
  if (navigation === undefined) return undefined
  const path = decodeURIComponent(new URL(navigation, new URL(folder, 'part:///')).pathname).replace(/^\/+/, '')
  return zip.names.has(path) ? await countPageLinks(zip, path) : undefined
}

const findPackage = async (zip: Zip): Promise<string | undefined> => {
  if (!zip.names.has('META-INF/container.xml') || zip.names.has('META-INF/encryption.xml')) return undefined
  let path: string | undefined
  await scanXml(zip.open('META-INF/container.xml', MAX_PART_BYTES), {
    open(name, attributes) {
      if (/^(?:\w+:)?rootfile$/.test(name)) path ??= attributeOf(attributes, 'full-path')
    },
  })
  return path !== undefined && zip.names.has(path) ? path : undefined
}

const countPageLinks = async (zip: Zip, path: string): Promise<number | undefined> => {
  let lists = 0
  let isInside = false
  let links = 0
  const events = {
    open(name: string, attributes: string) {
      if (name === 'nav') {
        isInside = (attributeOf(attributes, 'epub:type') ?? '').split(/\s+/).includes('page-list')
        if (isInside) lists++
      } else if (isInside && name === 'a') links++
    },
    close(name: string) {
      if (name === 'nav') isInside = false
    },
  }
  // A navigation document may declare itself as HTML, which says nothing about its text.
  const markup = (await zip.readText(path)).replace(/<!DOCTYPE\s+html\s*>/i, '')
  await scanXml(onePiece(new TextEncoder().encode(markup)), events)
  return lists === 1 && links > 0 ? links : undefined
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
