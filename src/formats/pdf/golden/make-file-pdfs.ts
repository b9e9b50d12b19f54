/** Writes the sources of the cases images-*, pages-*, metadata-* and attachments-* anew. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { type RawObject, writeRawPdf } from './raw-pdf.ts'

const write = (name: string, file: string, bytes: Uint8Array): string => {
  const folder = join(import.meta.dirname, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, file), bytes)
  return join(folder, file)
}

const utf16 = (text: string): string => `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`
const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'

const XMP = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pd="http://ns.adobe.com/pdf/1.3/" xmlns:a="http://www.aiim.org/pdfa/ns/id/" a:part="2" a:conformance="B">
<pd:Producer>A maker of small files</pd:Producer>
<dc:title xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Alt><rdf:li xml:lang="x-default">Ledgers &amp; lists</rdf:li></rdf:Alt></dc:title>
<dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Seq><rdf:li>Ada</rdf:li><rdf:li>Ben</rdf:li></rdf:Seq></dc:creator>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`

/** Everything that the metadata tell of, in one file. */
const rich: RawObject[] = [
  `<< /Type /Catalog /Pages 2 0 R /Lang (en-GB) /MarkInfo << /Marked true >> /Metadata 7 0 R /Outlines 8 0 R
    /PageLabels << /Nums [0 << /S /r >> 2 << /S /D /P (A-) /St 5 >>] >>
    /Dests << /end [5 0 R /Fit] >>
    /OpenAction << /S /JavaScript /JS (app.alert\\("hello"\\)) >>
    /OCProperties << /OCGs [12 0 R] /D << >> >>
    /AcroForm << /Fields [13 0 R 16 0 R 17 0 R 18 0 R 22 0 R] >> >>`,
  '<< /Type /Pages /Kids [3 0 R 4 0 R 5 0 R] /Count 3 /MediaBox [0 0 200 300] /Resources << /Font << /F 6 0 R >> >> >>',
  '<< /Type /Page /Parent 2 0 R /Annots [14 0 R 15 0 R 16 0 R 17 0 R 18 0 R 19 0 R 20 0 R 21 0 R 22 0 R] >>',
  '<< /Type /Page /Parent 2 0 R /Rotate 90 /Annots [23 0 R] >>',
  '<< /Type /Page /Parent 2 0 R /CropBox [20 20 120 220] >>',
  helvetica,
  { dict: '/Type /Metadata /Subtype /XML', data: XMP },
  '<< /Type /Outlines /First 9 0 R /Last 11 0 R >>',
  '<< /Title (Part one) /First 10 0 R /Last 10 0 R /Next 11 0 R /Dest [3 0 R /Fit] >>',
  `<< /Title ${utf16('Größe')} /A << /S /GoTo /D [4 0 R /XYZ 0 0 0] >> >>`,
  '<< /Title (The end) /Dest /end >>',
  '<< /Type /OCG /Name (Notes in red) >>',
  '<< /T (person) /FT /Tx /Kids [14 0 R 15 0 R] >>',
  `<< /Type /Annot /Subtype /Widget /Parent 13 0 R /T (name) /TU (Full name) /V ${utf16('Zoë')} /Ff 2 /Rect [10 250 90 270] /P 3 0 R >>`,
  '<< /Type /Annot /Subtype /Widget /Parent 13 0 R /T (secret) /V (hidden) /Ff 8192 /Rect [10 220 90 240] >>',
  '<< /Type /Annot /Subtype /Widget /T (agree) /FT /Btn /V /Yes /AS /Yes /Rect [10 200 20 210] /P 3 0 R >>',
  '<< /Type /Annot /Subtype /Widget /T (port) /FT /Ch /V (b) /DV (a) /Opt [[(a) (Aden)] [(b) (Bergen)]] /Ff 131073 /Rect [10 180 90 190] /P 3 0 R >>',
  '<< /Type /Annot /Subtype /Widget /T (sign) /FT /Sig /V << /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /Name (Ada) /M (D:20240229120000Z) /Reason (I agree) /Location (Bergen) /ByteRange [0 10 20 30] /Contents <00> >> /Rect [10 150 90 170] /P 3 0 R >>',
  '<< /Type /Annot /Subtype /Text /Rect [100 250 120 270] /T (Ben) /Contents (Is this right?) /CreationDate (D:20240301083000+01\'00\') /M (D:20240302) /Popup 20 0 R >>',
  '<< /Type /Annot /Subtype /Popup /Parent 19 0 R /Rect [120 250 180 290] >>',
  '<< /Type /Annot /Subtype /Link /Rect [100 200 180 210] /A << /S /URI /URI (https://example.org/a) >> >>',
  '<< /Type /Annot /Subtype /Widget /T (go) /FT /Btn /Ff 65536 /Rect [10 120 90 130] /P 3 0 R >>',
  '<< /Type /Annot /Subtype /Highlight /Rect [0 0 50 10] /RC (<body><p>Rich <b>text</b></p></body>) >>',
  `<< /Title ${utf16('Ledgers – lists')} /Author (Ada) /Creator (By hand) /Producer (A maker of small files) /CreationDate (D:20240131120000+02'00') /ModDate (D:20240201) /Trapped /False /Ship#20No (42) >>`,
]
const richFile = write('metadata-rich', 'rich.pdf', writeRawPdf(rich, '/Info 24 0 R'))

mkdirSync(join(import.meta.dirname, 'metadata-encrypted'), { recursive: true })
const locked = ['--static-id', '--encrypt', 'deck', 'bridge', '256', '--print=none', '--extract=n', '--', richFile]
execFileSync('qpdf', [...locked, join(import.meta.dirname, 'metadata-encrypted', 'locked.pdf')])

const packed = (data: string | Buffer) => ({ dict: '/Filter /FlateDecode', data: deflateSync(data) })
const csv = 'port,ships\r\nBergen,12\r\n'
const md5 = createHash('md5').update(csv).digest('hex')
/** Files in the list and on a page: two of one name, one that tries to climb, one that is broken. */
const carrier: RawObject[] = [
  `<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Kids [5 0 R] >> >> >>`,
  '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 100 100] >>',
  '<< /Type /Page /Parent 2 0 R >>',
  '<< /Type /Page /Parent 2 0 R /Annots [12 0 R] >>',
  '<< /Limits [(a) (d)] /Names [(a) 6 0 R (b) 7 0 R (c) 8 0 R (d) 9 0 R] >>',
  `<< /Type /Filespec /F (ships.csv) /UF ${utf16('ships.csv')} /Desc (Ships by port) /AFRelationship /Data /EF << /F 10 0 R >> >>`,
  '<< /Type /Filespec /F (../../ships.csv) /EF << /F 11 0 R >> >>',
  '<< /Type /Filespec /F (broken.bin) /EF << /F 13 0 R >> >>',
  '<< /Type /Filespec /F (ships.csv) /Desc (The same again) /EF << /F 10 0 R >> >>',
  {
    dict: `/Type /EmbeddedFile /Subtype /text#2Fcsv /Params << /Size ${csv.length} /CheckSum <${md5}> /ModDate (D:20240229120000Z) >> ${packed('').dict}`,
    data: packed(csv).data,
  },
  { dict: '/Type /EmbeddedFile /Filter /ASCIIHexDecode', data: `${Buffer.from('up and away').toString('hex')}>` },
  `<< /Type /Annot /Subtype /FileAttachment /Rect [10 10 20 20] /Contents (See this) /FS << /F (note.txt) /EF << /F 14 0 R >> >> >>`,
  { dict: '/Type /EmbeddedFile /Filter /FlateDecode', data: 'this was never compressed' },
  { dict: '/Type /EmbeddedFile', data: 'A note.\n' },
]
write('attachments-files', 'carrier.pdf', writeRawPdf(carrier))
write('attachments-none', 'plain.pdf', writeRawPdf(carrier.slice(0, 4).map((object, i) => (i === 0 ? '<< /Type /Catalog /Pages 2 0 R >>' : object))))

const jpeg = async (color: string): Promise<Buffer> =>
  await sharp({ create: { width: 16, height: 12, channels: 3, background: color } }).jpeg().toBuffer()
const red = await jpeg('#cc0000')
const picture = (data: Buffer, width = 16, height = 12): RawObject => ({
  dict: `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`,
  data,
})
/** One picture drawn three times, once from another object; one drawn by a form; a spacer that is too small. */
write(
  'images-jpeg',
  'pictures.pdf',
  writeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 200 100] >>',
    '<< /Type /Page /Parent 2 0 R /Contents [5 0 R 6 0 R] /Resources << /XObject << /A 8 0 R /S 11 0 R >> >> >>',
    '<< /Type /Page /Parent 2 0 R /Rotate 90 /Contents 7 0 R /Resources << /XObject << /A 9 0 R /F 12 0 R >> >> >>',
    { dict: '', data: 'q 40 0 0 30 10 60 cm /A Do Q q 1 0 0 1 0 0 cm /S Do' },
    { dict: '', data: 'Q (text with \\) /A Do) Tj % a comment /A Do\nq 0 30 -40 0 150 20 cm /A Do Q' },
    { dict: packed('').dict, data: packed('q 40 0 0 30 10 60 cm /A Do Q 2 0 0 2 100 0 cm /F Do').data },
    picture(red),
    picture(red),
    picture(await jpeg('#0000cc')),
    picture(await sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } }).jpeg().toBuffer(), 1, 1),
    {
      dict: '/Type /XObject /Subtype /Form /BBox [0 0 50 50] /Matrix [1 0 0 1 5 5] /Resources << /XObject << /B 10 0 R /F 12 0 R >> >>',
      data: '20 0 0 15 0 0 cm /B Do /F Do',
    },
  ]),
)

rmSync(join(import.meta.dirname, 'pages-outside'), { recursive: true, force: true })
write('pages-outside', 'plain.pdf', writeRawPdf(carrier.slice(0, 4).map((object, i) => (i === 0 ? '<< /Type /Catalog /Pages 2 0 R >>' : object))))
