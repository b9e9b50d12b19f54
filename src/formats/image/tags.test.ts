import { describe, expect, it } from 'vitest'
import { groupTags, type TagGroups } from '../../engines/exiftool.ts'
import { listTags, summarizeTags, toIsoTime } from './tags.ts'

const groups = (tags: Record<string, unknown>): TagGroups => {
  const long = Object.entries(tags).map(([key, num]) => [key, { num, val: `shown ${num}` }])
  return groupTags(JSON.stringify([{ SourceFile: 'x.jpg', ...Object.fromEntries(long) }])) ?? {}
}

describe('toIsoTime', () => {
  it.each([
    ['2024:05:06 07:08:09', '2024-05-06T07:08:09'],
    ['2024:05:06 07:08:09.25+02:00', '2024-05-06T07:08:09.25+02:00'],
    ['2024:05:06 07:08:09Z', '2024-05-06T07:08:09Z'],
    ['2024:05:06', '2024-05-06'],
    ['0000:00:00 00:00:00', undefined],
    ['    :  :     :  :  ', undefined],
    ['yesterday', undefined],
  ])('reads %s', (raw, expected) => {
    expect(toIsoTime(raw)).toBe(expected)
  })
})

describe('summarizeTags', () => {
  it('takes a place only where it is one', () => {
    const place = { 'Composite:GPSLatitude': -33.8567844, 'Composite:GPSLongitude': 151.213108 }
    expect(summarizeTags(groups(place)).gps).toEqual({ latitude: -33.8567844, longitude: 151.213108 })
    expect(summarizeTags(groups({ ...place, 'Composite:GPSLatitude': 4_294_967_295 })).gps).toBeUndefined()
  })

  it.each([
    ['inches of EXIF', { 'IFD0:XResolution': 300, 'IFD0:YResolution': 150, 'IFD0:ResolutionUnit': 2 }, 300, 150],
    ['centimetres of EXIF', { 'IFD0:XResolution': 100, 'IFD0:YResolution': 100, 'IFD0:ResolutionUnit': 3 }, 254, 254],
    ['inches of JFIF', { 'JFIF:XResolution': 96, 'JFIF:YResolution': 96, 'JFIF:ResolutionUnit': 1 }, 96, 96],
    [
      'metres of PNG',
      { 'PNG-pHYs:PixelsPerUnitX': 11811, 'PNG-pHYs:PixelsPerUnitY': 11811, 'PNG-pHYs:PixelUnits': 1 },
      300,
      300,
    ],
  ])('turns %s into pixels per inch', (_title, tags, x, y) => {
    expect(summarizeTags(groups(tags)).density).toEqual({ x, y, unit: 'pixelsPerInch' })
  })

  it('knows no density where there is only a ratio', () => {
    const ratio = { 'JFIF:XResolution': 1, 'JFIF:YResolution': 1, 'JFIF:ResolutionUnit': 0 }
    expect(summarizeTags(groups(ratio))).toEqual({})
  })

  it('takes the stronger of two places', () => {
    const tags = { 'XMP-dc:Creator': ['Ada', 'Grace'], 'IFD0:Artist': 'Somebody', 'IPTC:Keywords': 'one' }
    expect(summarizeTags(groups(tags)).description).toEqual({ creators: ['Ada', 'Grace'], keywords: ['one'] })
  })
})

describe('listTags', () => {
  it('keeps what people read, whatever a tag is called', () => {
    const tags = groups({ 'XMP-x:__proto__': 1, 'IFD0:Make': 'M', 'ExifTool:ExifToolVersion': 12 })
    expect(JSON.stringify(listTags(tags))).toBe('{"XMP-x":{"__proto__":"shown 1"},"IFD0":{"Make":"shown M"}}')
  })

  it('has nothing from a program that died', () => {
    expect(groupTags('[{ "SourceFile": ')).toBeUndefined()
  })
})
