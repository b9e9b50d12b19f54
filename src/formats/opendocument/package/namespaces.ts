import type { Prefixes } from '../../shared/xml/namespaces.ts'

const OASIS = 'urn:oasis:names:tc:opendocument:xmlns'

/** The namespaces of OpenDocument under the prefixes that this code knows them by. */
export const ODF_PREFIXES: Prefixes = new Map([
  ...(
    [
      ['office', 'office'],
      ['style', 'style'],
      ['text', 'text'],
      ['table', 'table'],
      ['draw', 'drawing'],
      ['fo', 'xsl-fo-compatible'],
      ['svg', 'svg-compatible'],
      ['meta', 'meta'],
      ['presentation', 'presentation'],
      ['chart', 'chart'],
      ['form', 'form'],
      ['manifest', 'manifest'],
    ] as const
  ).map(([prefix, name]): [string, string] => [`${OASIS}:${name}:1.0`, prefix]),
  ['http://www.w3.org/1999/xlink', 'xlink'],
  ['http://www.w3.org/1998/Math/MathML', 'math'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0', 'loext'],
])
