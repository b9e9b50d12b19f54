import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import officeCrypto from 'officecrypto-tool'
import { type Parts, relationships, SLIDE_NAMESPACES, xmlPart, zipParts } from '../../shared/ooxml/office-fixture.ts'

// `node src/formats/powerpoint/golden/make-sources.ts` writes the sources of the golden cases.

const EMU_PER_POINT = 12_700
type Place = readonly [x: number, y: number, width: number, height: number]
const transform = (place: Place | undefined, tag = 'a'): string => {
  if (!place) return ''
  const [x, y, cx, cy] = place.map((points) => points * EMU_PER_POINT)
  return `<${tag}:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${cx}" cy="${cy}"/></${tag}:xfrm>`
}
const run = (text: string, properties = ''): string => `<a:r><a:rPr ${properties}/><a:t>${text}</a:t></a:r>`
const paragraph = (content: string, properties = ''): string =>
  `<a:p>${properties}${content.startsWith('<') ? content : run(content)}</a:p>`
const shape = (content: string, options: { place?: Place; holder?: string; hidden?: boolean; listStyle?: string } = {}): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="s"${options.hidden ? ' hidden="1"' : ''}/><p:cNvSpPr/><p:nvPr>${options.holder ? `<p:ph ${options.holder}/>` : ''}</p:nvPr></p:nvSpPr>` +
  `<p:spPr>${transform(options.place)}</p:spPr><p:txBody><a:bodyPr/><a:lstStyle>${options.listStyle ?? ''}</a:lstStyle>${content}</p:txBody></p:sp>`
const frame = (place: Place, data: string): string =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="2" name="f"/></p:nvGraphicFramePr>${transform(place, 'p')}<a:graphic><a:graphicData uri="u">${data}</a:graphicData></a:graphic></p:graphicFrame>`
const tree = (root: string, shapes: string, attributes = '', more = ''): string =>
  xmlPart(`<p:${root} ${SLIDE_NAMESPACES} ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld>${more}</p:${root}>`)

const LEVELS =
  '<a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr><a:lvl2pPr><a:buFont typeface="Wingdings"/><a:buChar char="&#xA7;"/></a:lvl2pPr>'
const MASTER = tree(
  'sldMaster',
  shape(paragraph('Prompt'), { holder: 'type="title"', place: [20, 20, 600, 60] }) +
    shape(paragraph('Prompt'), { holder: 'type="body" idx="1"', place: [20, 100, 600, 300] }),
  '',
  `<p:txStyles><p:titleStyle><a:lvl1pPr><a:buNone/></a:lvl1pPr></p:titleStyle><p:bodyStyle>${LEVELS}</p:bodyStyle></p:txStyles>`,
)
const TITLE_LAYOUT = tree(
  'sldLayout',
  shape(paragraph('Prompt'), { holder: 'type="ctrTitle"', place: [20, 100, 600, 100] }) +
    shape(paragraph('Prompt'), { holder: 'type="subTitle" idx="1"', listStyle: '<a:lvl1pPr><a:buNone/></a:lvl1pPr>' }),
  'type="title"',
)
const LAYOUT = tree('sldLayout', shape(paragraph('Prompt'), { holder: 'type="title"' }) + shape(paragraph('Prompt'), { holder: 'idx="1"' }), 'type="obj"')

const level = (depth: number, bullet = ''): string => `<a:pPr lvl="${depth}">${bullet}</a:pPr>`
const numbered = (scheme: string, startAt = ''): string => `<a:pPr><a:buAutoNum type="${scheme}"${startAt}/></a:pPr>`

const COVER = tree(
  'sld',
  shape(paragraph('Stones'), { holder: 'type="ctrTitle"' }) +
    shape(paragraph('A subtitle'), { holder: 'type="subTitle" idx="1"' }) +
    shape(paragraph('7'), { holder: 'type="sldNum" idx="12"', place: [600, 500, 40, 20] }) +
    shape(paragraph('Quarry Ltd'), { holder: 'type="ftr" idx="11"', place: [20, 500, 40, 20] }),
)
const BULLETS = tree(
  'sld',
  shape(paragraph(`${run('Bullets ', 'b="1"')}<a:br/>${run('and numbers')}`), { holder: 'type="title"' }) +
    shape(
      paragraph('First') +
        paragraph('Deeper', level(1)) +
        paragraph('Second') +
        paragraph('') +
        paragraph('No bullet', level(0, '<a:buNone/>')) +
        paragraph('One', numbered('arabicPeriod')) +
        paragraph('Two', numbered('arabicPeriod')) +
        paragraph('Letter', numbered('alphaLcParenR', ' startAt="3"')),
      { holder: 'idx="1"' },
    ) +
    shape(paragraph(run('bold', 'b="1"') + run(' and ') + `<a:r><a:rPr><a:hlinkClick r:id="site"/></a:rPr><a:t>linked</a:t></a:r>`), {
      place: [20, 420, 600, 40],
    }) +
    shape(paragraph('Invisible'), { place: [20, 480, 600, 20], hidden: true }),
)
const ORDER = tree(
  'sld',
  shape(paragraph('Right text'), { place: [400, 150, 200, 100] }) +
    shape(paragraph('Right head'), { place: [400, 100, 200, 40] }) +
    shape(paragraph('Left text'), { place: [50, 150, 200, 100] }) +
    shape(paragraph('Left head'), { place: [50, 100, 200, 40] }) +
    `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name="g"/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="${400 * EMU_PER_POINT}"/><a:ext cx="${600 * EMU_PER_POINT}" cy="${100 * EMU_PER_POINT}"/><a:chOff x="0" y="0"/><a:chExt cx="${600 * EMU_PER_POINT}" cy="${100 * EMU_PER_POINT}"/></a:xfrm></p:grpSpPr>` +
    `${shape(paragraph('Group second'), { place: [300, 0, 100, 50] })}${shape(paragraph('Group first'), { place: [0, 0, 100, 50] })}</p:grpSp>` +
    '<p:pic><p:nvPicPr><p:cNvPr id="4" name="p" descr="A stone"/></p:nvPicPr><p:blipFill><a:blip r:embed="stone"/></p:blipFill><p:spPr/></p:pic>',
  'show="0"',
)
const cell = (text: string, attributes = ''): string =>
  `<a:tc ${attributes}><a:txBody>${text === '' ? '<a:p/>' : paragraph(text)}</a:txBody></a:tc>`
const DATA = tree(
  'sld',
  shape(paragraph('Data'), { holder: 'type="title"' }) +
    frame(
      [20, 100, 600, 100],
      `<a:tbl><a:tblPr firstRow="1"/><a:tr>${cell('Both', 'gridSpan="2"')}${cell('', 'hMerge="1"')}</a:tr><a:tr>${cell('Tall', 'rowSpan="2"')}${cell('1')}</a:tr><a:tr>${cell('', 'vMerge="1"')}${cell('2')}</a:tr></a:tbl>`,
    ) +
    frame([20, 220, 600, 100], '<c:chart r:id="chart"/>') +
    frame([20, 340, 600, 100], '<dgm:relIds r:dm="diagram"/>'),
)
const points = (kind: 'str' | 'num', values: readonly (string | number)[]): string =>
  `<c:${kind}Ref><c:${kind}Cache>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:${kind}Cache></c:${kind}Ref>`
const series = (name: string, values: readonly number[]): string =>
  `<c:ser><c:tx>${points('str', [name])}</c:tx><c:cat>${points('str', ['Spring', 'Autumn'])}</c:cat><c:val>${points('num', values)}</c:val></c:ser>`
const CHART = xmlPart(
  `<c:chartSpace ${SLIDE_NAMESPACES}><c:chart><c:plotArea><c:lineChart>${series('Granite', [1.5, 2])}${series('Slate', [3, 0.30000000000000004])}</c:lineChart></c:plotArea></c:chart></c:chartSpace>`,
)
const point = (id: string, text: string, type = ''): string =>
  `<dgm:pt modelId="${id}"${type === '' ? '' : ` type="${type}"`}><dgm:t>${text === '' ? '<a:p/>' : paragraph(text)}</dgm:t></dgm:pt>`
const tie = (from: string, to: string, order: number): string => `<dgm:cxn modelId="${from}${to}" srcId="${from}" destId="${to}" srcOrd="${order}"/>`
const DIAGRAM = xmlPart(
  `<dgm:dataModel ${SLIDE_NAMESPACES}><dgm:ptLst>${point('0', '', 'doc')}${point('2', 'Split')}${point('1', 'Dig')}${point('3', 'By hand')}</dgm:ptLst><dgm:cxnLst>${tie('0', '1', 0)}${tie('0', '2', 1)}${tie('1', '3', 0)}</dgm:cxnLst></dgm:dataModel>`,
)
const NOTES = tree(
  'notes',
  shape(paragraph('Say hello.') + paragraph('Then begin.'), { holder: 'type="body" idx="1"' }) + shape(paragraph('1'), { holder: 'type="sldNum"' }),
)
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

const layout = (name: string) => ['slideLayout', `../slideLayouts/${name}.xml`] as const
const DECK: Parts = {
  '_rels/.rels': relationships({ document: ['officeDocument', 'ppt/presentation.xml'] }),
  'ppt/presentation.xml': xmlPart(
    `<p:presentation ${SLIDE_NAMESPACES}><p:sldIdLst>${[1, 2, 3, 4].map((number) => `<p:sldId id="${255 + number}" r:id="s${number}"/>`).join('')}</p:sldIdLst><p:sldSz cx="${720 * EMU_PER_POINT}" cy="${540 * EMU_PER_POINT}"/></p:presentation>`,
  ),
  'ppt/_rels/presentation.xml.rels': relationships({
    s1: ['slide', 'slides/slide1.xml'],
    s2: ['slide', 'slides/slide2.xml'],
    s3: ['slide', 'slides/slide3.xml'],
    s4: ['slide', 'slides/slide4.xml'],
    authors: ['commentAuthors', 'commentAuthors.xml'],
  }),
  'ppt/slides/slide1.xml': COVER,
  'ppt/slides/_rels/slide1.xml.rels': relationships({ l: layout('title'), n: ['notesSlide', '../notesSlides/notes1.xml'] }),
  'ppt/slides/slide2.xml': BULLETS,
  'ppt/slides/_rels/slide2.xml.rels': relationships({
    l: layout('object'),
    site: ['hyperlink', 'https://example.org/'],
    c: ['comments', '../comments/comment1.xml'],
  }),
  'ppt/slides/slide3.xml': ORDER,
  'ppt/slides/_rels/slide3.xml.rels': relationships({ l: layout('object'), stone: ['image', '../media/image1.png'] }),
  'ppt/slides/slide4.xml': DATA,
  'ppt/slides/_rels/slide4.xml.rels': relationships({
    l: layout('object'),
    chart: ['chart', '../charts/chart1.xml'],
    diagram: ['diagramData', '../diagrams/data1.xml'],
  }),
  'ppt/slideLayouts/title.xml': TITLE_LAYOUT,
  'ppt/slideLayouts/_rels/title.xml.rels': relationships({ m: ['slideMaster', '../slideMasters/master.xml'] }),
  'ppt/slideLayouts/object.xml': LAYOUT,
  'ppt/slideLayouts/_rels/object.xml.rels': relationships({ m: ['slideMaster', '../slideMasters/master.xml'] }),
  'ppt/slideMasters/master.xml': MASTER,
  'ppt/charts/chart1.xml': CHART,
  'ppt/diagrams/data1.xml': DIAGRAM,
  'ppt/notesSlides/notes1.xml': NOTES,
  'ppt/comments/comment1.xml': xmlPart(
    `<p:cmLst ${SLIDE_NAMESPACES}><p:cm authorId="0" dt="2026-02-03T04:05:06"><p:text>Too many bullets.</p:text></p:cm></p:cmLst>`,
  ),
  'ppt/commentAuthors.xml': xmlPart(`<p:cmAuthorLst ${SLIDE_NAMESPACES}><p:cmAuthor id="0" name="Ann"/></p:cmAuthorLst>`),
  'ppt/media/image1.png': PIXEL,
  'ppt/media/media1.mp4': Buffer.from('not really a film'),
}

for (const name of ['deck/deck.pptx', 'deck-with-notes/deck.ppsx', 'deck-visible-only/deck.potx']) {
  const file = join(import.meta.dirname, name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, await zipParts(DECK))
}

// Locked by another program than the one that unlocks them; salts are random, so they are made only once.
const ONE_SLIDE: Parts = {
  '_rels/.rels': relationships({ d: ['officeDocument', 'ppt/presentation.xml'] }),
  'ppt/presentation.xml': xmlPart(
    `<p:presentation ${SLIDE_NAMESPACES}><p:sldIdLst><p:sldId id="256" r:id="s"/></p:sldIdLst></p:presentation>`,
  ),
  'ppt/_rels/presentation.xml.rels': relationships({ s: ['slide', 'slides/slide1.xml'] }),
  'ppt/slides/slide1.xml': xmlPart(
    `<p:sld ${SLIDE_NAMESPACES}><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>Behind the lock</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
  ),
}
for (const name of ['encrypted/locked.pptx', 'unlocked/locked.pptx']) {
  const file = join(import.meta.dirname, name)
  if (existsSync(file)) continue
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, await officeCrypto.encrypt(await zipParts(ONE_SLIDE), { password: 'Schlüssel 7' }))
}
