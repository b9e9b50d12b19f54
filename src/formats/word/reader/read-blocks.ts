import type { Block } from '../../shared/document/model.ts'
import { toLatex } from '../../shared/ooxml/math/to-latex.ts'
import { toLinear } from '../../shared/ooxml/math/to-linear.ts'
import type { XmlEvents } from '../../shared/xml/events.ts'
import { createTreeBuilder, type Element, findAll, nameSet, replay } from '../../shared/xml/tree.ts'
import { createFlow, type Flow, readSection } from './flow.ts'
import { placeForeignPart } from './foreign-parts.ts'
import type { PartReading } from './reading.ts'
import { createTableBuilder, type TableBuilder } from './table-builder.ts'

/** What is read as a whole; all else is a container that is seen through. */
const WHOLE: ReadonlySet<string> = nameSet(`
  w:p w:tblPr w:trPr w:tcPr w:sectPr w:sdtPr w:tblGrid w:tblPrEx m:oMath m:oMathPara w:altChunk w:background
`)

/** Properties that say nothing about the text; leaving them out makes trees a third as large. */
export const SKIPPED: ReadonlySet<string> = nameSet(`
  w:lang w:sz w:szCs w:color w:spacing w:kern w:bCs w:iCs w:shd w:noProof w:proofErr w:bookmarkEnd w:ind w:jc
  w:tabs w:pBdr w:bdr w:highlight w:position w:w w:eastAsianLayout w:tblBorders w:tblCellMar w:tcBorders w:tcMar
  w:tcW w:tblW w:rPrChange w:pPrChange w:tblPrChange w:trPrChange w:tcPrChange w:sectPrChange
  w:lastRenderedPageBreak w:tblGrid w:keepNext w:keepLines w:widowControl w:adjustRightInd w:snapToGrid
  w:autoSpaceDE w:autoSpaceDN w:contextualSpacing a:extLst a:ln a:prstGeom a:custGeom a:solidFill a:gradFill
  a:effectLst pic:spPr wps:spPr wps:bodyPr wps:style wpg:grpSpPr wp:extent wp:effectExtent wp:cNvGraphicFramePr
  wp:positionH wp:positionV wp:wrapTopAndBottom wp:wrapSquare wp:wrapTight wp14:sizeRelH wp14:sizeRelV
  v:shapetype v:path v:stroke v:fill v:shadow v:formulas m:ctrlPr w:docGrid w:pgSz w:pgMar
`)

/** Reads the blocks of a part from its events; `finish` gives them once all has come. */
export const createBlockReader = (part: PartReading): { events: XmlEvents; finish(): Block[] } => {
  const builder = createTreeBuilder(SKIPPED)
  const readInside = (container: Element): Block[] => {
    const inner = createBlockReader(part)
    replay(container, inner.events)
    return inner.finish()
  }
  const body = createFlow(part, readInside)
  const flows: Flow[] = [body]
  const tables: TableBuilder[] = []
  const flow = (): Flow => flows.at(-1) ?? body

  const take = (element: Element): void => {
    switch (element.name) {
      case 'w:p':
        flow().addParagraph(element)
        break
      case 'w:tblPr':
        tables.at(-1)?.tableProperties(element)
        break
      case 'w:trPr':
        tables.at(-1)?.rowProperties(element)
        break
      case 'w:tcPr':
        tables.at(-1)?.cellProperties(element)
        break
      case 'w:sectPr':
        readSection(element, part)
        break
      case 'w:altChunk':
        placeForeignPart(element, part, flow())
        break
      case 'm:oMath':
        addFormulas(flow(), [element])
        break
      case 'm:oMathPara':
        addFormulas(flow(), findAll(element, 'm:oMath'))
    }
  }

  const events: XmlEvents = {
    open(name, attributes) {
      if (builder.isOpen) builder.open(name, attributes)
      else if (WHOLE.has(name)) builder.begin(name, attributes, take)
      else if (name === 'w:tbl') tables.push(createTableBuilder())
      else if (name === 'w:tr') tables.at(-1)?.beginRow()
      else if (name === 'w:tc' && tables.length > 0) {
        part.reading.budget.countBlocks()
        tables.at(-1)?.beginCell()
        flows.push(createFlow(part, readInside))
      }
    },
    close(name) {
      if (builder.isOpen) builder.close(name)
      else if (name === 'w:tbl') flow().addBlocks(tables.pop()?.finish() ?? [])
      else if (name === 'w:tr') tables.at(-1)?.endRow()
      else if (name === 'w:tc' && flows.length > 1) tables.at(-1)?.endCell(flows.pop()?.finish() ?? [])
    },
    text(text) {
      if (builder.isOpen) builder.text(text)
    },
  }
  return { events, finish: () => body.finish() }
}

const addFormulas = (flow: Flow, formulas: readonly Element[]): void => {
  for (const formula of formulas) {
    const latex = toLatex(formula)
    if (latex !== '') flow.addBlocks([{ kind: 'formula', text: toLinear(formula), latex }])
  }
}
