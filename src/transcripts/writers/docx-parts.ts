import { escapeXml } from './clean-text.ts'
import { languageTag, primaryLanguage } from './language.ts'
import type { ZipPart } from './zip-parts.ts'

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const OFFICE = 'http://schemas.openxmlformats.org'
const WORD = `xmlns:w="${OFFICE}/wordprocessingml/2006/main"`
const PART_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

const CONTENT_TYPES = `${HEAD}<Types xmlns="${OFFICE}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${PART_TYPE}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${PART_TYPE}.styles+xml"/><Override PartName="/word/footer.xml" ContentType="${PART_TYPE}.footer+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`

const PACKAGE_RELATIONS = `${HEAD}<Relationships xmlns="${OFFICE}/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="${OFFICE}/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`

const DOCUMENT_RELATIONS = `${HEAD}<Relationships xmlns="${OFFICE}/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument/2006/relationships/styles" Target="styles.xml"/><Relationship Id="rId2" Type="${OFFICE}/officeDocument/2006/relationships/footer" Target="footer.xml"/></Relationships>`

const FOOTER = `${HEAD}<w:ftr ${WORD}><w:p><w:pPr><w:jc w:val="center"/></w:pPr><w:fldSimple w:instr=" PAGE "><w:r><w:t>1</w:t></w:r></w:fldSimple></w:p></w:ftr>`

/** The parts of a Word document that are the same in each. */
export const DOCX_FRAME: readonly ZipPart[] = [
  { path: '[Content_Types].xml', text: CONTENT_TYPES },
  { path: '_rels/.rels', text: PACKAGE_RELATIONS },
  { path: 'word/_rels/document.xml.rels', text: DOCUMENT_RELATIONS },
  { path: 'word/footer.xml', text: FOOTER },
]

/** Title and language of a Word document; no date, so that the same transcript gives the same file. */
export const docxProperties = (title: string, language: string): string =>
  `${HEAD}<cp:coreProperties xmlns:cp="${OFFICE}/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(title)}</dc:title><dc:language>${languageTag(language)}</dc:language></cp:coreProperties>`

const EAST_ASIAN_FONTS: Readonly<Record<string, string>> = {
  zh: 'Microsoft YaHei',
  ja: 'Yu Gothic',
  ko: 'Malgun Gothic',
}

/** Fonts, sizes and outline levels of a Word document. */
export const docxStyles = (language: string): string => {
  const tag = languageTag(language)
  const eastAsian = EAST_ASIAN_FONTS[primaryLanguage(language)] ?? 'Microsoft YaHei'
  const fonts = `<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:eastAsia="${eastAsian}" w:cs="Arial"/>`
  const styles = [
    style('Normal', 'paragraph', 'Normal', '<w:spacing w:after="160" w:line="276" w:lineRule="auto"/>', '', true),
    style('Title', 'paragraph', 'Title', '<w:spacing w:after="320"/>', bold(40)),
    style(
      'Heading1',
      'paragraph',
      'heading 1',
      '<w:keepNext/><w:spacing w:before="480" w:after="160"/><w:outlineLvl w:val="0"/>',
      bold(28),
    ),
    style('Speaker', 'paragraph', 'Speaker', '<w:keepNext/><w:spacing w:before="240" w:after="40"/>', bold(22)),
    style(
      'Time',
      'character',
      'Time',
      '',
      '<w:b w:val="0"/><w:bCs w:val="0"/><w:color w:val="767676"/><w:sz w:val="18"/><w:szCs w:val="18"/>',
    ),
  ]
  return `${HEAD}<w:styles ${WORD}><w:docDefaults><w:rPrDefault><w:rPr>${fonts}<w:sz w:val="22"/><w:szCs w:val="22"/><w:lang w:val="${tag}" w:eastAsia="${tag}" w:bidi="${tag}"/></w:rPr></w:rPrDefault></w:docDefaults>${styles.join('')}</w:styles>`
}

const bold = (halfPoints: number): string =>
  `<w:b/><w:bCs/><w:sz w:val="${halfPoints}"/><w:szCs w:val="${halfPoints}"/>`

const style = (id: string, type: string, name: string, paragraph: string, run: string, isDefault = false): string => {
  const base = type === 'paragraph' && !isDefault ? '<w:basedOn w:val="Normal"/><w:next w:val="Normal"/>' : ''
  const looks = `${paragraph === '' ? '' : `<w:pPr>${paragraph}</w:pPr>`}${run === '' ? '' : `<w:rPr>${run}</w:rPr>`}`
  return `<w:style w:type="${type}"${isDefault ? ' w:default="1"' : ''} w:styleId="${id}"><w:name w:val="${name}"/>${base}<w:qFormat/>${looks}</w:style>`
}
