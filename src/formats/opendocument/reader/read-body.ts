import type { XmlEvents } from '../../shared/xml/events.ts'
import { createTreeBuilder, type Element } from '../../shared/xml/tree.ts'
import { CONTAINERS, createFlow, type Flow, isHiddenSection, readBlocks } from './read-blocks.ts'
import { createTableBuilder, type TableBuilder } from './read-table.ts'
import type { Reading } from './reading.ts'

const ROW_GROUPS = new Set(['table:table', 'table:table-rows', 'table:table-row-group', 'table:table-header-rows'])

/**
 * Reads the body of a text as it comes: paragraph by paragraph, and of a table row by row, so that no more of it than
 * that is in memory as XML.
 */
export const createBodyReader = (reading: Reading): { flow: Flow; events: XmlEvents } => {
  const flow = createFlow(reading)
  const builder = createTreeBuilder()
  const inside = (element: Element) => readBlocks(element, reading)
  let table: TableBuilder | undefined
  let headerDepth = 0
  let hiddenDepth = 0

  const events: XmlEvents = {
    open(name, attributes) {
      if (builder.isOpen) builder.open(name, attributes)
      else if (hiddenDepth > 0) hiddenDepth++
      else if (table) openInTable(name, attributes)
      else if (name === 'table:table') table = createTableBuilder(reading.budget, inside)
      else if (!CONTAINERS.has(name)) builder.begin(name, attributes, flow.add)
      else if (isHiddenSection({ attributes })) hiddenDepth = 1
    },
    close(name) {
      if (builder.isOpen) builder.close(name)
      else if (hiddenDepth > 0) hiddenDepth--
      else if (name === 'table:table-header-rows') headerDepth--
      else if (name === 'table:table' && table) {
        flow.addBlocks(table.finish())
        table = undefined
      }
    },
    text(text) {
      if (builder.isOpen) builder.text(text)
    },
  }

  const openInTable: XmlEvents['open'] = (name, attributes) => {
    if (name === 'table:table-header-rows') headerDepth++
    if (ROW_GROUPS.has(name)) return
    builder.begin(name, attributes, (element) => {
      if (name === 'table:table-row') table?.addRow(element, headerDepth > 0)
    })
  }

  return { flow, events }
}
