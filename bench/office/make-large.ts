import { writeFile } from 'node:fs/promises'
import {
  type Parts,
  relationships,
  SLIDE_NAMESPACES,
  wordParts,
  xmlPart,
  zipParts,
} from '../../src/formats/shared/ooxml/office-fixture.ts'

const WORDS = 'granite slate marble basalt chalk flint sand clay gravel ore quarry stone block face bench'.split(' ')
const sentence = (seed: number): string =>
  Array.from({ length: 14 }, (_, i) => WORDS[(seed * 7 + i * 3) % WORDS.length]).join(' ')
const run = (text: string, bold = false): string =>
  `<w:r w:rsidR="00AB12CD"><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri"/>${bold ? '<w:b/>' : ''}<w:sz w:val="22"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (content: string, properties = ''): string =>
  `<w:p w:rsidR="00AB12CD" w:rsidRDefault="00AB12CD"><w:pPr>${properties}<w:spacing w:after="160"/></w:pPr>${content}</w:p>`

/** About 1,800 characters: a heading, paragraphs of several runs, a list and a table. */
const page = (number: number): string =>
  [
    paragraph(run(`Section ${number}`), '<w:outlineLvl w:val="1"/>'),
    ...[1, 2, 3, 4].map((i) =>
      paragraph(run(`${sentence(number + i)}. `) + run(sentence(i), true) + run(`, ${sentence(number)}.`)),
    ),
    ...[1, 2, 3].map((i) =>
      paragraph(run(sentence(number * i)), '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'),
    ),
    `<w:tbl><w:tblPr/>${[1, 2, 3].map((i) => `<w:tr>${[1, 2, 3].map((j) => `<w:tc><w:tcPr><w:tcW w:w="3000"/></w:tcPr>${paragraph(run(`${number} ${i} ${j}`))}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`,
  ].join('')

const NUMBERING =
  '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'

/** Writes a Word document of that many pages. */
export const makeDocument = async (file: string, pages: number): Promise<void> => {
  const body = Array.from({ length: pages }, (_, index) => page(index + 1)).join('')
  await writeFile(file, await zipParts(wordParts({ body, numbering: NUMBERING })))
}

const text = (content: string, level = 0): string =>
  `<a:p><a:pPr lvl="${level}"/><a:r><a:rPr lang="en-GB" sz="1800"/><a:t>${content}</a:t></a:r></a:p>`
const shape = (holder: string, y: number, content: string): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="s"/><p:cNvSpPr/><p:nvPr><p:ph ${holder}/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="${y}"/><a:ext cx="9000000" cy="1000000"/></a:xfrm></p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>${content}</p:txBody></p:sp>`
const slide = (number: number): string =>
  xmlPart(
    `<p:sld ${SLIDE_NAMESPACES}><p:cSld><p:spTree>${shape('type="title"', 0, text(`Slide ${number}`))}${shape('idx="1"', 1_200_000, [1, 2, 3, 4, 5, 6].map((i) => text(sentence(number * i), i % 2)).join(''))}</p:spTree></p:cSld></p:sld>`,
  )

/** Writes a presentation of that many slides. */
export const makeDeck = async (file: string, slides: number): Promise<void> => {
  const numbers = Array.from({ length: slides }, (_, index) => index + 1)
  const list = numbers.map((number) => `<p:sldId id="${255 + number}" r:id="s${number}"/>`).join('')
  const targets = numbers.map((number) => [`s${number}`, ['slide', `slides/slide${number}.xml`]] as const)
  const parts: Parts = {
    '_rels/.rels': relationships({ document: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': xmlPart(
      `<p:presentation ${SLIDE_NAMESPACES}><p:sldIdLst>${list}</p:sldIdLst></p:presentation>`,
    ),
    'ppt/_rels/presentation.xml.rels': relationships(Object.fromEntries(targets)),
    ...Object.fromEntries(numbers.map((number) => [`ppt/slides/slide${number}.xml`, slide(number)])),
  }
  await writeFile(file, await zipParts(parts))
}
