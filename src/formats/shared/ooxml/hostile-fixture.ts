import {
  type Parts,
  relationships,
  SLIDE_NAMESPACES,
  WORD_NAMESPACES,
  wordParts,
  xmlPart,
  zipParts,
} from './office-fixture.ts'

/** Addresses that must never be asked for: a web server, and a file of this machine. */
export type Lures = { url: string; file: string }

/** A file made to do harm, and how it must end: with a failure, or with its text, which is `Shown`. */
export type HostileFile = {
  name: string
  make(lures: Lures): Promise<Buffer>
  ends: 'shown' | { code: string; params?: Readonly<Record<string, unknown>> }
}

const DEEP = 200_000
const BOMB_BYTES = 66 * 1024 ** 2
const damaged = (reason: string) => ({ code: 'extract.source_unreadable', params: { reason } })
const LIMIT = { code: 'extract.limit_exceeded' }

const SHOWN = '<w:p><w:r><w:t>Shown</w:t></w:r></w:p>'
const DOCUMENT = 'word/document.xml'
const word = (body: string): string => `<w:document ${WORD_NAMESPACES}><w:body>${body}</w:body></w:document>`
const withDocument = (content: string): Parts => ({ ...wordParts({ body: '' }), [DOCUMENT]: content })

const SLIDE = 'ppt/slides/slide1.xml'
const slide = (more = ''): string =>
  `<p:sld ${SLIDE_NAMESPACES}><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>Shown</a:t></a:r></a:p></p:txBody></p:sp>${more}</p:spTree></p:cSld></p:sld>`
const deckParts = (more: Parts = {}): Parts => ({
  '_rels/.rels': relationships({ d: ['officeDocument', 'ppt/presentation.xml'] }),
  'ppt/presentation.xml': xmlPart(
    `<p:presentation ${SLIDE_NAMESPACES}><p:sldIdLst><p:sldId id="256" r:id="s"/></p:sldIdLst></p:presentation>`,
  ),
  'ppt/_rels/presentation.xml.rels': relationships({ s: ['slide', 'slides/slide1.xml'] }),
  [SLIDE]: xmlPart(slide()),
  ...more,
})

const SHEET = 'xl/worksheets/sheet1.xml'
const SHEETS =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const SHOWN_ROW = '<row r="1"><c r="A1" t="inlineStr"><is><t>Shown</t></is></c></row>'
const bookParts = (more: Parts = {}, links: Parameters<typeof relationships>[0] = {}): Parts => ({
  '_rels/.rels': relationships({ d: ['officeDocument', 'xl/workbook.xml'] }),
  'xl/workbook.xml': xmlPart(`<workbook ${SHEETS}><sheets><sheet name="S" sheetId="1" r:id="s"/></sheets></workbook>`),
  'xl/_rels/workbook.xml.rels': relationships({ s: ['worksheet', 'worksheets/sheet1.xml'], ...links }),
  [SHEET]: xmlPart(`<worksheet ${SHEETS}><sheetData>${SHOWN_ROW}</sheetData></worksheet>`),
  ...more,
})

const laughs = (root: string): string =>
  `<!DOCTYPE ${root} [<!ENTITY l0 "ha">${Array.from({ length: 10 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')}]>`
const outsideEntity = (root: string, address: string): string => `<!DOCTYPE ${root} [<!ENTITY x SYSTEM "${address}">]>`
const outsideDtd = (root: string, address: string): string => `<!DOCTYPE ${root} SYSTEM "${address}">`

const CENTRAL = Buffer.from('504b0102', 'hex')
const recordsOf = (bytes: Buffer): number[] => {
  const found: number[] = []
  for (let at = bytes.indexOf(CENTRAL); at >= 0; at = bytes.indexOf(CENTRAL, at + 4)) found.push(at)
  return found
}
/** Lets the entries of an archive share the bytes of the first. */
const overlap = (bytes: Buffer): Buffer => {
  const [first = 0, ...others] = recordsOf(bytes)
  for (const at of others) bytes.copy(bytes, at + 42, first + 42, first + 46)
  return bytes
}
/** Lets an entry say that it is smaller than it is. */
const understate = (bytes: Buffer, name: string): Buffer => {
  const at = recordsOf(bytes).find((record) => bytes.indexOf(name, record) === record + 46) ?? 0
  bytes.writeUInt32LE(10, at + 24)
  return bytes
}

const picture = (id: string): string =>
  `<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:link="${id}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
const field = (instruction: string): string =>
  `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${instruction}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`

const reachingOut = ({ url, file }: Lures): Parts =>
  wordParts({
    body: `${SHOWN}${picture('web')}${picture('disk')}<w:altChunk r:id="chunk"/>${field(`INCLUDEPICTURE "${url}/field.png"`)}${field(`INCLUDETEXT "${file}"`)}<w:p><w:subDoc r:id="part"/></w:p>`,
    links: {
      web: ['image', `${url}/picture.png`],
      disk: ['image', `file://${file}`],
      template: ['attachedTemplate', `${url}/template.dotm`],
      chunk: ['aFChunk', `${url}/chunk.html`],
      part: ['subDocument', `file://${file}`],
    },
  })

const page = ({
  url,
  file,
}: Lures): string => `<!DOCTYPE html PUBLIC "x" "${url}/page.dtd"><html><head><base href="${url}/">
<link rel="stylesheet" href="${url}/style.css"><style>@import url(${url}/more.css); body { background: url(${url}/back.png) }</style>
<meta http-equiv="refresh" content="0;url=${url}/next"><script src="${url}/script.js"></script></head><body onload="fetch('${url}/load')">
<p>Shown</p><img src="${url}/a.png"><img src="file://${file}"><img srcset="${url}/b.png 2x"><iframe src="${url}/frame"></iframe>
<object data="file://${file}"></object><embed src="${url}/embed"><video src="${url}/film.mp4" poster="${url}/poster.png"></video>
<svg><image xlink:href="${url}/svg.png"/><use href="${url}/use.svg#a"/></svg><form action="${url}/form"></form></body></html>`

/** Files that try to fill the memory, to keep the service busy, to read other files, or to reach the network. */
export const HOSTILE_OFFICE_FILES: readonly HostileFile[] = [
  {
    name: 'unfolds.docx',
    make: () => zipParts(withDocument(word(`${' '.repeat(BOMB_BYTES)}${SHOWN}`))),
    ends: LIMIT,
  },
  {
    name: 'nested-bomb.docx',
    async make() {
      const bomb = await zipParts(withDocument(word(' '.repeat(BOMB_BYTES))))
      const wrapped = await zipParts({ 'inner.docx': bomb, 'word/document.xml': word(SHOWN) })
      return await zipParts({
        ...wordParts({ body: SHOWN, links: { inner: ['package', 'embeddings/inner.docx'] } }),
        'word/embeddings/inner.docx': wrapped,
      })
    },
    ends: 'shown',
  },
  ...(['docx', 'pptx', 'xlsx'] as const).flatMap((extension): HostileFile[] => {
    const parts = { docx: wordParts({ body: SHOWN }), pptx: deckParts(), xlsx: bookParts() }[extension]
    const main = { docx: DOCUMENT, pptx: SLIDE, xlsx: SHEET }[extension]
    const root = { docx: 'w:document', pptx: 'p:sld', xlsx: 'worksheet' }[extension]
    const content = { docx: word(SHOWN), pptx: slide(), xlsx: String(bookParts()[SHEET]) }[extension]
    const bare = content.replace(/^<\?xml[^>]*>\s*/, '')
    const using = (entity: string): string => bare.replace('Shown', entity)
    return [
      { name: `overlapping.${extension}`, make: async () => overlap(await zipParts(parts)), ends: damaged('overlap') },
      {
        name: `lying-size.${extension}`,
        make: async () => understate(await zipParts(parts), main),
        ends: damaged('entry-size'),
      },
      {
        name: `entity-of-a-file.${extension}`,
        make: ({ file }) => zipParts({ ...parts, [main]: outsideEntity(root, `file://${file}`) + using('&x;') }),
        ends: damaged('doctype'),
      },
      {
        name: `entity-of-the-web.${extension}`,
        make: ({ url }) => zipParts({ ...parts, [main]: outsideEntity(root, `${url}/entity`) + using('&x;') }),
        ends: damaged('doctype'),
      },
      {
        name: `outside-dtd.${extension}`,
        make: ({ url }) => zipParts({ ...parts, [main]: outsideDtd(root, `${url}/outside.dtd`) + bare }),
        ends: damaged('doctype'),
      },
      {
        name: `laughs.${extension}`,
        make: () => zipParts({ ...parts, [main]: laughs(root) + using('&l10;') }),
        ends: damaged('doctype'),
      },
      {
        name: `deep.${extension}`,
        make: () =>
          zipParts({ ...parts, [main]: bare.replace(/(?=<\/(?:w:body|p:spTree|sheetData)>)/, '<a>'.repeat(DEEP)) }),
        ends: LIMIT,
      },
      {
        name: `leads-outside.${extension}`,
        make: () => zipParts({ ...parts, 'XX/XX/etc/cron.d/x': 'x' }).then(renameOutside),
        ends: damaged('entry-name'),
      },
    ]
  }),
  {
    name: 'macros.docm',
    make: () =>
      zipParts(
        wordParts({
          body: SHOWN,
          more: { 'vbaProject.bin': { type: 'vbaProject', content: Buffer.from('AutoOpen') } },
        }),
      ),
    ends: 'shown',
  },
  {
    name: 'macros.pptm',
    make: () => zipParts(deckParts({ 'ppt/vbaProject.bin': Buffer.from('Auto_Open') })),
    ends: 'shown',
  },
  {
    name: 'macros.xlsm',
    make: () =>
      zipParts(bookParts({ 'xl/vbaProject.bin': Buffer.from('Auto_Open') }, { v: ['vbaProject', 'vbaProject.bin'] })),
    ends: 'shown',
  },
  { name: 'reaches-out.docx', make: (lures) => zipParts(reachingOut(lures)), ends: 'shown' },
  {
    name: 'reaches-out.pptx',
    make: ({ url, file }) =>
      zipParts(
        deckParts({
          [SLIDE]: slide(
            '<p:pic><p:blipFill><a:blip r:link="web"/></p:blipFill></p:pic><p:pic><p:blipFill><a:blip r:embed="disk"/></p:blipFill></p:pic>',
          ),
          'ppt/slides/_rels/slide1.xml.rels': relationships({
            web: ['image', `${url}/slide.png`],
            disk: ['image', `file://${file}`],
            film: ['video', `${url}/film.mp4`],
          }),
        }),
      ),
    ends: 'shown',
  },
  {
    name: 'reaches-out.xlsx',
    make: ({ url, file }) =>
      zipParts(
        bookParts(
          {
            [SHEET]: xmlPart(
              `<worksheet ${SHEETS}><sheetData>${SHOWN_ROW}<row r="2"><c r="A2"><f>WEBSERVICE("${url}/call")</f><v>1</v></c><c r="B2"><f>HYPERLINK("file://${file}")</f><v>2</v></c></row></sheetData></worksheet>`,
            ),
            'xl/externalLinks/link1.xml': xmlPart(`<externalLink ${SHEETS}><externalBook r:id="b"/></externalLink>`),
            'xl/externalLinks/_rels/link1.xml.rels': relationships({ b: ['externalLinkPath', `${url}/book.xlsx`] }),
            'xl/connections.xml': xmlPart(
              `<connections ${SHEETS}><connection id="1" name="web"><webPr url="${url}/query"/></connection></connections>`,
            ),
          },
          { l: ['externalLink', 'externalLinks/link1.xml'], c: ['connections', 'connections.xml'] },
        ),
      ),
    ends: 'shown',
  },
  { name: 'reaches-out.html', make: async (lures) => Buffer.from(page(lures)), ends: 'shown' },
  { name: 'deep.html', make: async () => Buffer.from(`<p>Shown</p>${'<div>'.repeat(DEEP)}`), ends: LIMIT },
]

/** Names that lead outside cannot be written by a good library: they are put in afterwards, where the directory has them. */
const renameOutside = (bytes: Buffer): Buffer => {
  for (let at = bytes.indexOf('XX/XX/'); at >= 0; at = bytes.indexOf('XX/XX/', at + 1)) bytes.write('../../', at)
  return bytes
}
