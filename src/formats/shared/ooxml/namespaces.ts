import type { Prefixes } from '../xml/namespaces.ts'

const TRANSITIONAL = 'http://schemas.openxmlformats.org'
const STRICT = 'http://purl.oclc.org/ooxml'
const MICROSOFT = 'http://schemas.microsoft.com/office'

/** Namespaces that have a transitional and a strict form: prefix, path in each. */
const BOTH: readonly (readonly [prefix: string, transitional: string, strict: string])[] = [
  ['w', 'wordprocessingml/2006/main', 'wordprocessingml/main'],
  ['p', 'presentationml/2006/main', 'presentationml/main'],
  ['x', 'spreadsheetml/2006/main', 'spreadsheetml/main'],
  ['a', 'drawingml/2006/main', 'drawingml/main'],
  ['c', 'drawingml/2006/chart', 'drawingml/chart'],
  ['dgm', 'drawingml/2006/diagram', 'drawingml/diagram'],
  ['pic', 'drawingml/2006/picture', 'drawingml/picture'],
  ['wp', 'drawingml/2006/wordprocessingDrawing', 'drawingml/wordprocessingDrawing'],
  ['m', 'officeDocument/2006/math', 'officeDocument/math'],
  ['r', 'officeDocument/2006/relationships', 'officeDocument/relationships'],
  ['ep', 'officeDocument/2006/extended-properties', 'officeDocument/extendedProperties'],
  ['op', 'officeDocument/2006/custom-properties', 'officeDocument/customProperties'],
  ['vt', 'officeDocument/2006/docPropsVTypes', 'officeDocument/docPropsVTypes'],
]

/** The namespaces of Office files under the prefixes that this code knows them by. */
export const OOXML_PREFIXES: Prefixes = new Map([
  ...BOTH.flatMap(([prefix, transitional, strict]): [string, string][] => [
    [`${TRANSITIONAL}/${transitional}`, prefix],
    [`${STRICT}/${strict}`, prefix],
  ]),
  [`${TRANSITIONAL}/package/2006/relationships`, 'rel'],
  [`${TRANSITIONAL}/package/2006/content-types`, 'ct'],
  [`${TRANSITIONAL}/package/2006/metadata/core-properties`, 'cp'],
  [`${TRANSITIONAL}/markup-compatibility/2006`, 'mc'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://purl.org/dc/terms/', 'dcterms'],
  ['urn:schemas-microsoft-com:vml', 'v'],
  ['urn:schemas-microsoft-com:office:office', 'o'],
  [`${MICROSOFT}/word/2010/wordml`, 'w14'],
  [`${MICROSOFT}/word/2012/wordml`, 'w15'],
  [`${MICROSOFT}/word/2010/wordprocessingShape`, 'wps'],
  [`${MICROSOFT}/word/2010/wordprocessingGroup`, 'wpg'],
  [`${MICROSOFT}/word/2010/wordprocessingCanvas`, 'wpc'],
  [`${MICROSOFT}/drawing/2010/main`, 'a14'],
  [`${MICROSOFT}/drawing/2008/diagram`, 'dsp'],
  [`${MICROSOFT}/drawing/2014/chartex`, 'cx'],
  [`${MICROSOFT}/powerpoint/2010/main`, 'p14'],
  [`${MICROSOFT}/powerpoint/2018/8/main`, 'p188'],
])

/** Extensions whose alternative is taken: what they add is read, or does not matter to the text. */
const UNDERSTOOD =
  /^(?:wps|wpg|wpc|w14|w15|w16\w*|wp14|wp15|a14|a16\w*|p14|p15|p16\w*|c14|c16\w*|x14\w*|x15\w*|dsp|cx\d*)$/

/** Whether the content written for readers of these extensions (prefixes, separated by blanks) is for us. */
export const understands = (requires: string | undefined): boolean =>
  (requires ?? '').split(/\s+/).every((prefix) => prefix === '' || UNDERSTOOD.test(prefix))
