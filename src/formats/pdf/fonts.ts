import { isDict, type PdfDict, type PdfObjects, type PdfValue, toName } from './objects.ts'

/** A font of the file. */
export type FontFacts = { name: string; type: string; embedded: boolean; subset: boolean }

const MAX_FONTS = 1_000
const MAX_DEPTH = 6
const SUBSET_PREFIX = /^[A-Z]{6}\+/
const FONT_FILES = ['/FontFile', '/FontFile2', '/FontFile3'] as const

/** The fonts of a file, each once, by name. */
export const listFonts = (objects: PdfObjects): FontFacts[] => {
  const fonts = new Map<string, FontFacts>()
  const visit = (value: PdfValue | undefined, depth: number): void => {
    if (!isDict(value) || depth > MAX_DEPTH || fonts.size >= MAX_FONTS) return
    const subtype = toName(objects.resolve(value['/Subtype']))
    // A font may stand in the resources of a page, without a number of its own.
    if (!subtype || (value['/BaseFont'] === undefined && subtype !== 'Type3')) {
      for (const member of Object.values(value)) visit(member, depth + 1)
    } else if (!subtype.startsWith('CIDFont')) {
      // Descendants of composite fonts are told of with these.
      const font = describeFont(objects, value, subtype)
      fonts.set(JSON.stringify(font), font)
    }
  }
  for (const [, value] of objects.find('"/BaseFont": ', '"/Subtype": "/Type3"')) visit(value, 0)
  return [...fonts.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

const describeFont = (objects: PdfObjects, font: PdfDict, subtype: string): FontFacts => {
  const descendant = objects.dict(objects.array(font['/DescendantFonts'])[0])
  const descriptor = objects.dict(font['/FontDescriptor'] ?? descendant['/FontDescriptor'])
  const fullName = toName(objects.resolve(font['/BaseFont'])) ?? toName(objects.resolve(font['/Name'])) ?? ''
  const inner = toName(objects.resolve(descendant['/Subtype']))
  return {
    name: fullName.replace(SUBSET_PREFIX, ''),
    type: inner ? `${subtype} (${inner})` : subtype,
    // The glyphs of a Type 3 font are drawings in the file itself.
    embedded: subtype === 'Type3' || FONT_FILES.some((key) => descriptor[key] !== undefined),
    subset: SUBSET_PREFIX.test(fullName),
  }
}
