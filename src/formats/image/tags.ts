import type { TagGroups } from '../../engines/exiftool.ts'

/** What most readers want from the tags, under plain names and in plain units; absent where the file does not say. */
export type TagSummary = {
  density?: { x: number; y: number; unit: 'pixelsPerInch' }
  colorProfile?: { description?: string; colorSpace?: string }
  camera?: Record<string, unknown>
  gps?: Record<string, unknown>
  description?: Record<string, unknown>
}

/** Where a value may stand, the stronger first: `Group:Name`, in any group for `*:Name`. */
type Places = readonly string[]

/** Reads the summary out of the tags. */
export const summarizeTags = (groups: TagGroups): TagSummary => {
  const density = readDensity(groups)
  const sections = {
    colorProfile: readSection(groups, COLOR_PROFILE),
    camera: readSection(groups, CAMERA),
    gps: readGps(groups),
    description: readSection(groups, DESCRIPTION),
  }
  const filled = Object.entries(sections).filter(([, section]) => Object.keys(section).length > 0)
  return { ...(density ? { density } : {}), ...Object.fromEntries(filled) }
}

type Field = { places: Places; read: (raw: unknown) => unknown }

const text = (raw: unknown): string | undefined => {
  const found = typeof raw === 'string' ? raw.trim() : typeof raw === 'number' ? String(raw) : ''
  return found === '' ? undefined : found
}
const number = (raw: unknown): number | undefined => {
  const found = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined
}
const list = (raw: unknown): string[] | undefined => {
  const found = (Array.isArray(raw) ? raw : [raw]).flatMap((item) => text(item) ?? [])
  return found.length > 0 ? found : undefined
}

/** Times of EXIF as ISO 8601, with the offset where the file has one. */
export const toIsoTime = (raw: unknown): string | undefined => {
  const found = /^(\d{4})[:-](\d\d)[:-](\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|[+-]\d\d:?\d\d)?$/.exec(
    text(raw) ?? '',
  )
  if (!found) return undefined
  const [, year, month, day, time, offset = ''] = found
  if (year === '0000' || month === '00' || day === '00') return undefined
  return `${year}-${month}-${day}${time ? `T${time}${offset}` : ''}`
}

const COLOR_PROFILE: Readonly<Record<string, Field>> = {
  description: { places: ['ICC_Profile:ProfileDescription', 'PNG:ProfileName'], read: text },
  colorSpace: { places: ['ICC-header:ColorSpaceData'], read: text },
  connectionSpace: { places: ['ICC-header:ProfileConnectionSpace'], read: text },
  copyright: { places: ['ICC_Profile:ProfileCopyright'], read: text },
}

const CAMERA: Readonly<Record<string, Field>> = {
  make: { places: ['IFD0:Make', 'XMP-tiff:Make'], read: text },
  model: { places: ['IFD0:Model', 'XMP-tiff:Model'], read: text },
  lens: { places: ['ExifIFD:LensModel', 'XMP-aux:Lens', 'Composite:LensID'], read: text },
  software: { places: ['IFD0:Software', 'XMP-xmp:CreatorTool', 'PNG:Software'], read: text },
  takenAt: {
    places: ['Composite:SubSecDateTimeOriginal', 'ExifIFD:DateTimeOriginal', 'XMP-exif:DateTimeOriginal'],
    read: toIsoTime,
  },
  digitizedAt: { places: ['Composite:SubSecCreateDate', 'ExifIFD:CreateDate', 'XMP-xmp:CreateDate'], read: toIsoTime },
  modifiedAt: { places: ['Composite:SubSecModifyDate', 'IFD0:ModifyDate', 'XMP-xmp:ModifyDate'], read: toIsoTime },
  exposureSeconds: { places: ['ExifIFD:ExposureTime', 'XMP-exif:ExposureTime'], read: number },
  fNumber: { places: ['ExifIFD:FNumber', 'XMP-exif:FNumber'], read: number },
  iso: { places: ['ExifIFD:ISO', 'XMP-exif:ISO'], read: number },
  focalLengthMillimetres: { places: ['ExifIFD:FocalLength', 'XMP-exif:FocalLength'], read: number },
  focalLength35MillimetreEquivalent: { places: ['ExifIFD:FocalLengthIn35mmFormat'], read: number },
}

const DESCRIPTION: Readonly<Record<string, Field>> = {
  title: { places: ['XMP-dc:Title', 'IPTC:ObjectName', 'PNG:Title', 'SVG:Title', 'IFD0:XPTitle'], read: text },
  headline: { places: ['IPTC:Headline', 'XMP-photoshop:Headline'], read: text },
  caption: {
    places: ['XMP-dc:Description', 'IPTC:Caption-Abstract', 'IFD0:ImageDescription', 'PNG:Description', 'File:Comment'],
    read: text,
  },
  keywords: { places: ['XMP-dc:Subject', 'IPTC:Keywords'], read: list },
  creators: { places: ['XMP-dc:Creator', 'IPTC:By-line', 'IFD0:Artist', 'PNG:Author'], read: list },
  copyright: { places: ['XMP-dc:Rights', 'IPTC:CopyrightNotice', 'IFD0:Copyright', 'PNG:Copyright'], read: text },
  credit: { places: ['IPTC:Credit', 'XMP-photoshop:Credit'], read: text },
  city: { places: ['IPTC:City', 'XMP-photoshop:City'], read: text },
  country: { places: ['IPTC:Country-PrimaryLocationName', 'XMP-photoshop:Country'], read: text },
  rating: { places: ['XMP-xmp:Rating', 'IFD0:Rating'], read: number },
}

const readSection = (groups: TagGroups, fields: Readonly<Record<string, Field>>): Record<string, unknown> => {
  const found: Record<string, unknown> = {}
  for (const [name, { places, read }] of Object.entries(fields)) {
    const value = readFirst(groups, places, read)
    if (value !== undefined) found[name] = value
  }
  return found
}

const readFirst = <T>(groups: TagGroups, places: Places, read: (raw: unknown) => T | undefined): T | undefined => {
  for (const place of places) {
    const [group = '', name = ''] = place.split(':')
    const tags = groups[group]
    if (!tags || !Object.hasOwn(tags, name)) continue
    const value = read(tags[name]?.raw)
    if (value !== undefined) return value
  }
  return undefined
}

/** Decimal degrees, north and east positive; metres above the sea. */
const readGps = (groups: TagGroups): Record<string, unknown> => {
  const latitude = readFirst(groups, ['Composite:GPSLatitude', 'XMP-exif:GPSLatitude'], number)
  const longitude = readFirst(groups, ['Composite:GPSLongitude', 'XMP-exif:GPSLongitude'], number)
  const isPlace =
    latitude !== undefined && longitude !== undefined && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  return {
    ...(isPlace ? { latitude: roundDegrees(latitude), longitude: roundDegrees(longitude) } : {}),
    ...readSection(groups, {
      altitudeMetres: { places: ['Composite:GPSAltitude'], read: number },
      directionDegrees: { places: ['GPS:GPSImgDirection'], read: number },
      takenAt: { places: ['Composite:GPSDateTime'], read: toIsoTime },
    }),
  }
}
const roundDegrees = (degrees: number): number => Math.round(degrees * 1e7) / 1e7

const CENTIMETRES_PER_INCH = 2.54
const INCHES_PER_METRE = 39.3700787
const PER_INCH = 2
const PER_CENTIMETRE = 3

/** Only what the file says: decoders fill in 72 where it says nothing. */
const readDensity = (groups: TagGroups): TagSummary['density'] => {
  const pixelsPerMetre = {
    x: readFirst(groups, ['PNG-pHYs:PixelsPerUnitX', 'File:PixelsPerMeterX'], number),
    y: readFirst(groups, ['PNG-pHYs:PixelsPerUnitY', 'File:PixelsPerMeterY'], number),
  }
  const isMetric = readFirst(groups, ['PNG-pHYs:PixelUnits'], number) !== 0
  if (pixelsPerMetre.x && pixelsPerMetre.y && isMetric) {
    return toDensity(pixelsPerMetre.x / INCHES_PER_METRE, pixelsPerMetre.y / INCHES_PER_METRE)
  }
  for (const group of ['IFD0', 'JFIF', 'Photoshop']) {
    const x = readFirst(groups, [`${group}:XResolution`], number)
    const y = readFirst(groups, [`${group}:YResolution`], number)
    const unit = group === 'Photoshop' ? PER_INCH : readFirst(groups, [`${group}:ResolutionUnit`], number)
    // JFIF counts its units from another start than EXIF.
    const exifUnit = group === 'JFIF' && unit !== undefined ? unit + 1 : unit
    if (!x || !y || (exifUnit !== PER_INCH && exifUnit !== PER_CENTIMETRE)) continue
    const factor = exifUnit === PER_CENTIMETRE ? CENTIMETRES_PER_INCH : 1
    return toDensity(x * factor, y * factor)
  }
  return undefined
}

const toDensity = (x: number, y: number): TagSummary['density'] => ({
  x: Math.round(x * 100) / 100,
  y: Math.round(y * 100) / 100,
  unit: 'pixelsPerInch',
})

/** The tags as they are told to people, without the file's own. */
export const listTags = (groups: TagGroups): Record<string, Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(groups).map(([group, tags]) => [
      group,
      Object.fromEntries(Object.entries(tags).map(([name, { value }]) => [name, value])),
    ]),
  )
