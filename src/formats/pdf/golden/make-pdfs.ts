/** Writes the sources of the golden cases anew: `node src/formats/pdf/golden/make-pdfs.ts`. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hebrew, measure, type PdfPage, paragraph, raised, rule, text, writePdf } from './pdf-writer.ts'

const LOREM =
  'The harbour master keeps a ledger of every vessel that enters the port, with its tonnage, its flag and the hour of its arrival. At the end of each month the entries are added up and sent to the office in the capital, where they are compared with the customs returns.'
const MORE =
  'Nobody had looked at the older volumes for a century when they were found behind a wall. They turned out to cover the years of the great storms, and they name ships that no other source remembers. Historians have been reading them ever since.'

const column = (x: number, top: number, width: number, texts: readonly string[]): string[] => {
  let y = top
  return texts.flatMap((each) => {
    const { content, next } = paragraph(x, y, width, each)
    y = next + 6
    return content
  })
}

/** Cells of a row, each at the left of its column. */
const row = (xs: readonly number[], y: number, cells: readonly string[], font: 'R' | 'B' = 'R'): string[] =>
  cells.map((cell, i) => text(xs[i] as number, y, 10, cell, font))

const twoColumns: PdfPage = {
  content: [
    text(60, 80, 22, 'Ledgers of the Old Port', 'B'),
    text(60, 120, 14, '1 Introduction', 'B'),
    ...column(60, 145, 225, [LOREM, MORE, LOREM]),
    ...column(310, 145, 225, [MORE, LOREM]),
    text(310, 345, 14, '2 The Find', 'B'),
    ...column(310, 370, 225, [MORE]),
  ],
}

const styles: PdfPage = {
  content: [
    text(60, 80, 18, 'Styles and Special Characters', 'B'),
    text(60, 108, 11, 'This line is bold from its first word to its last.', 'B'),
    text(60, 130, 11, 'This line is italic, which is something else.', 'I'),
    text(60, 152, 11, 'Stars like *this* and lines like _that_ are text, and so are <tags> and 5 * 3 = 15.'),
    text(60, 170, 11, 'function add(a, b) {', 'C'),
    text(60, 184, 11, '  return a + b', 'C'),
    text(60, 198, 11, '}', 'C'),
    text(60, 230, 11, 'The sign # at the beginning of the next paragraph makes no heading of it.'),
    text(60, 260, 11, '# of ships: 12'),
  ],
}

const lists: PdfPage = {
  content: [
    text(60, 80, 18, 'What to Pack', 'B'),
    text(60, 110, 11, 'Before a voyage the mate goes through the list below.'),
    ...[
      [70, '\x95', 'Food for three weeks'],
      [90, '-', 'Bread and biscuits'],
      [90, '-', 'Water in casks'],
      [70, '\x95', 'Ropes and sails'],
      [70, '\x95', 'Instruments'],
    ].flatMap(([x, marker, words], i) => [
      text(x as number, 140 + i * 16, 11, marker as string),
      text((x as number) + 12, 140 + i * 16, 11, words as string),
    ]),
    text(60, 240, 11, 'Then, in this order:'),
    ...['Close the hatches.', 'Call the crew.', 'Cast off.'].flatMap((words, i) => [
      text(70, 265 + i * 16, 11, `${i + 1}.`),
      text(88, 265 + i * 16, 11, words),
    ]),
    text(88, 313, 11, 'a)'),
    text(104, 313, 11, 'Bow line first.'),
    text(88, 329, 11, 'b)'),
    text(104, 329, 11, 'Stern line last.'),
  ],
}

const spans: PdfPage = {
  content: [
    text(60, 80, 18, 'Tonnage by Port', 'B'),
    text(60, 110, 11, 'The table below has cells that cover two columns and two rows.'),
    ...[140, 180, 200, 220, 240].map((y) => rule(60, y, 460, y)),
    rule(160, 160, 460, 160),
    ...[60, 160, 460].map((x) => rule(x, 140, x, 240)),
    ...[260, 360].map((x) => rule(x, 160, x, 240)),
    text(65, 164, 10, 'Port', 'B'),
    text(280, 154, 10, 'Tons', 'B'),
    ...row([165, 265, 365], 174, ['1901', '1902', '1903'], 'B'),
    ...row([65, 165, 265, 365], 194, ['Alba', '1,200', '1,350', '1,410']),
    ...row([65, 165, 265, 365], 214, ['Brin', '800', '', '905']),
    ...row([65, 165, 265, 365], 234, ['Cole', '95', '102', '99']),
    text(60, 270, 11, 'After the table the text goes on.'),
  ],
}

const aligned: PdfPage = {
  content: [
    text(60, 80, 18, 'Prices at the Quay', 'B'),
    ...row([60, 220, 320, 420], 120, ['Ware', 'Unit', 'Spring', 'Autumn'], 'B'),
    rule(60, 125, 480, 125),
    ...[
      ['Salted herring', 'barrel', '14.50', '13.75'],
      ['Hemp rope', 'fathom', '0.35', '0.40'],
      ['Pine tar', 'cask', '7.20', '7.90'],
      ['Sailcloth', 'bolt', '22.00', '21.10'],
    ].flatMap((cells, i) => [
      ...row([60, 220], 142 + i * 17, cells.slice(0, 2)),
      ...cells.slice(2).map((cell, j) => text(360 + j * 100 - measure(cell, 10), 142 + i * 17, 10, cell)),
    ]),
  ],
}

const footnotes: PdfPage = {
  content: [
    text(60, 80, 18, 'Sources', 'B'),
    text(60, 110, 11, 'The first ledger was bound in calf'),
    raised(60 + measure('The first ledger was bound in calf', 11), 110, 11, '1'),
    text(60, 125, 11, 'and the second one in plain cloth'),
    raised(60 + measure('and the second one in plain cloth', 11), 125, 11, '2'),
    ...column(60, 160, 470, [LOREM, MORE]),
    rule(60, 700, 200, 700),
    text(60, 714, 6, '1'),
    text(66, 717, 8, 'The binding was renewed in 1870 by the port office.'),
    text(60, 728, 6, '2'),
    text(66, 731, 8, 'Two of its leaves are missing.'),
  ],
}

const runningPages: readonly PdfPage[] = [1, 2, 3, 4].map((number) => ({
  content: [
    text(60, 40, 9, 'Annual Report of the Port Office'),
    text(440, 40, 9, `Chapter ${Math.ceil(number / 2)}`),
    ...(number % 2 === 1 ? [text(60, 90, 16, `Chapter ${Math.ceil(number / 2)}`, 'B')] : []),
    ...column(60, 120, 470, [`Page ${number} begins here. ${LOREM}`, MORE, `${MORE} ${LOREM}`]),
    text(290, 810, 9, String(number)),
  ],
}))

const acrossPages: readonly PdfPage[] = [0, 1].map((part) => {
  const xs = [60, 220, 380]
  const first = part === 0 ? 560 : 70
  const rows = part === 0 ? 10 : 6
  const grid = (from: number, count: number) => [
    ...Array.from({ length: count + 1 }, (_, i) => rule(60, from + i * 20, 500, from + i * 20)),
    ...[60, 220, 380, 500].map((x) => rule(x, from, x, from + count * 20)),
  ]
  return {
    content: [
      ...(part === 0 ? [text(60, 80, 18, 'Arrivals', 'B'), ...column(60, 110, 470, [LOREM, MORE])] : []),
      ...grid(first, rows + 1),
      ...row(xs.map((x) => x + 5), first + 14, ['Ship', 'Flag', 'Day'], 'B'),
      ...Array.from({ length: rows }, (_, i) => {
        const number = part * 10 + i + 1
        return row(xs.map((x) => x + 5), first + 34 + i * 20, [`Vessel ${number}`, number % 2 ? 'Norway' : 'Spain', `${number} May`])
      }).flat(),
      ...(part === 1 ? [text(60, first + 180, 11, 'That was all of them.')] : []),
    ],
  }
})

const links: PdfPage = {
  content: [
    text(60, 80, 18, 'Where to Read On', 'B'),
    text(60, 110, 11, 'The catalogue is on the web, and the archive answers letters.'),
  ],
  links: [
    { x: 60 + measure('The ', 11), y: 100, width: measure('catalogue', 11), height: 12, uri: 'https://port.example/catalogue' },
    {
      x: 60 + measure('The catalogue is on the web, and the ', 11),
      y: 100,
      width: measure('archive', 11),
      height: 12,
      uri: 'mailto:archive@port.example',
    },
  ],
}

const figure: PdfPage = {
  content: [
    text(60, 80, 18, 'From Dark to Light', 'B'),
    ...column(60, 110, 470, [LOREM]),
    text(200, 330, 9, 'Figure 1. Shades of grey.'),
    ...column(60, 370, 470, [MORE]),
  ],
  pictures: [{ x: 200, y: 170, width: 150, height: 150 }],
}

/** Shown upright: the content is drawn turned to the left, and the page is turned to the right. */
const rotated: PdfPage = {
  rotate: 90,
  content: [
    `q 0 1 -1 0 ${595} 0 cm`,
    ...[
      ['B', 18, 60, 515, 'A Page on Its Side'],
      ['R', 11, 60, 485, 'This page lies on its side in the file and stands upright when it is shown.'],
      ['R', 11, 60, 470, 'Its lines must be read as they are seen.'],
    ].map(([font, size, x, y, words]) => `BT /${font} ${size} Tf ${x} ${y} Td (${words}) Tj ET`),
    'Q',
  ],
}

const rightToLeft: PdfPage = {
  content: ['שלום לכל הספינות', 'היום נכנסה אניה אחת אל הנמל', 'ומחר יצאו שתים'].map((line, i) => {
    const shown = hebrew(line)
    return text(535 - measure(shown, 12), 100 + i * 16, 12, shown, 'H')
  }),
}

const save = (path: string, bytes: Buffer): string => {
  const file = join(import.meta.dirname, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, bytes)
  return file
}

const INFO = { Title: 'A golden case', Producer: 'pdf-writer' }
const SOURCES: Readonly<Record<string, readonly PdfPage[]>> = {
  'two-columns/report.pdf': [twoColumns],
  'styles/styles.pdf': [styles],
  'nested-lists/lists.pdf': [lists],
  'table-ruled-spans/spans.pdf': [spans],
  'table-ruled-spans-pipe/spans.pdf': [spans],
  'table-aligned/aligned.pdf': [aligned],
  'table-across-pages/arrivals.pdf': acrossPages,
  'footnotes/sources.pdf': [footnotes],
  'headers-footers-drop/annual.pdf': runningPages,
  'headers-footers-keep/annual.pdf': runningPages,
  'headers-footers-separate/annual.pdf': runningPages,
  'page-range/annual.pdf': runningPages,
  'page-range-outside/annual.pdf': runningPages,
  'chunks-small/annual.pdf': runningPages,
  'figure-referred/figure.pdf': [figure],
  'figure-embedded/figure.pdf': [figure],
  'links/links.pdf': [links],
  'rotated-page/rotated.pdf': [rotated],
  'right-to-left/hebrew.pdf': [rightToLeft],
  'empty-page/empty.pdf': [{ content: [] }],
  'empty-page-without-ocr/empty.pdf': [{ content: [] }],
  'empty-among-others/mixed.pdf': [links, { content: [] }, rotated],
  'illustrator/drawing.ai': [links],
}
for (const [path, pages] of Object.entries(SOURCES)) save(path, writePdf(pages, INFO))

const whole = writePdf([links, styles], INFO)
const plain = save('encrypted/plain.pdf', whole)
for (const name of ['encrypted', 'encrypted-without-password']) {
  const target = join(import.meta.dirname, name, 'secret.pdf')
  mkdirSync(dirname(target), { recursive: true })
  // Fixed ids and vectors make encryption worthless, and the file the same every time.
  const encrypt = ['--static-id', '--static-aes-iv', '--encrypt', 'harbour', 'owner', '256', '--']
  execFileSync('qpdf', [...encrypt, plain, target])
}
rmSync(plain)

// The table of objects is gone, and the place where it should be is wrong.
const damaged = whole.toString('latin1').replace(/xref\n[^]*?trailer/, 'trailer').replace(/startxref\n\d+/, 'startxref\n7')
save('damaged/damaged.pdf', Buffer.from(damaged, 'latin1'))
save('damaged-beyond-repair/ruin.pdf', whole.subarray(0, 200))
