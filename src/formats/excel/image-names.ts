import { uniquePaths } from '../../core/artifact-names.ts'
import { cellName } from './cell-reference.ts'
import { fileNameOf } from './csv.ts'
import type { LoadedWorkbook } from './load-workbook.ts'
import type { Picture } from './workbook.ts'

export type NamedPicture = { path: string; picture: Picture; alt: string; sheet?: string }

/** Where each picture goes, by sheet: `images/<sheet>-<cell>.png`; what no sheet shows is under the empty name. */
export const nameImages = ({ sheets, media }: LoadedWorkbook): Map<string, NamedPicture[]> => {
  const named = new Map<string, NamedPicture[]>()
  const nextPath = uniquePaths()
  const shown = new Set<string>()
  const add = (sheet: string, stem: string, picture: Picture): void => {
    const path = nextPath(`images/${stem}.${picture.extension}`)
    const entry = { path, picture, alt: picture.alt ?? picture.name ?? '', ...(sheet === '' ? {} : { sheet }) }
    const list = named.get(sheet) ?? []
    list.push(entry)
    named.set(sheet, list)
  }
  for (const { name, extras } of sheets) {
    for (const picture of extras.pictures) {
      const place = picture.range ? `-${cellName(picture.range.top, picture.range.left)}` : ''
      add(name, `${fileNameOf(name)}${place}`, picture)
      shown.add(picture.part)
    }
  }
  for (const picture of media) {
    const stem = picture.part.slice(picture.part.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')
    if (!shown.has(picture.part)) add('', fileNameOf(stem), picture)
  }
  return named
}
