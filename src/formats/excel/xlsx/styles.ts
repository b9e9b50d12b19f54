import type { OfficePackage } from '../../shared/ooxml/package.ts'
import { readPart } from '../../shared/ooxml/read-part.ts'
import { builtinFormat } from '../number-format/builtin-formats.ts'
import { compileFormat, type NumberFormat } from '../number-format/compile-format.ts'

/** The number format of each style that cells refer to. */
export type CellFormats = (style: number) => NumberFormat

/** Excel allows 65,490 styles. */
const MAX_STYLES = 131_072

/** Reads the number formats of a workbook's cell styles. */
export const readCellFormats = async (file: OfficePackage, part: string | undefined): Promise<CellFormats> => {
  const codes = new Map<number, string>()
  const ids: number[] = []
  let isCellStyles = false
  if (part !== undefined) {
    await readPart(file, part, {
      open(name, attributes) {
        if (name === 'x:numFmt' && attributes.numFmtId !== undefined && codes.size < MAX_STYLES) {
          codes.set(Number(attributes.numFmtId), attributes.formatCode ?? 'General')
        } else if (name === 'x:cellXfs') isCellStyles = true
        else if (name === 'x:xf' && isCellStyles && ids.length < MAX_STYLES) ids.push(Number(attributes.numFmtId ?? 0))
      },
      close(name) {
        if (name === 'x:cellXfs') isCellStyles = false
      },
      text: () => undefined,
    })
  }
  const general = compileFormat('General')
  const made: NumberFormat[] = []
  return (style) => {
    const known = made[style]
    if (known) return known
    const id = ids[style]
    if (id === undefined) return general
    const format = compileFormat(codes.get(id) ?? builtinFormat(id))
    made[style] = format
    return format
  }
}
