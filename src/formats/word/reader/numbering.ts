import { formatNumber } from '../../shared/ooxml/number-formats.ts'
import type { OfficePackage } from '../../shared/ooxml/package.ts'
import { readChildren } from '../../shared/ooxml/read-part.ts'
import { bulletOf } from '../../shared/ooxml/symbol-fonts.ts'
import { childOf, childrenOf, type Element, nameSet } from '../../shared/xml/tree.ts'
import { fontOf } from './run-properties.ts'
import { numberOf, parseWhole, settingOf, toggleOf } from './values.ts'

type Level = {
  start: number
  format: string
  /** `%1.%2)`: the numbers of the levels, and what stands around them. */
  text: string
  /** The level, 1-based, whose use restarts this one; 0 for none, undefined for any higher one. */
  restartAfter: number | undefined
  /** All numbers in plain figures, whatever their own levels say. */
  isLegal: boolean
  font: string | undefined
  /** Id of the paragraph style that is tied to the level. */
  style: string | undefined
}
type AbstractList = { levels: ReadonlyMap<number, Level>; styleLink: string | undefined }
type Override = { start: number | undefined; level: Level | undefined }
type List = { abstractId: string; overrides: ReadonlyMap<number, Override> }

/** The label of an item, and whether it counts or only marks. */
export type Label = { text: string; ordered: boolean }

export type Numbering = {
  /** Counts one paragraph of a list and gives its label; undefined where the list or the level says nothing. */
  advance(list: number, level: number): Label | undefined
  /** The level of a list that a paragraph style is tied to. */
  levelOfStyle(list: number, style: string): number | undefined
}

const LEVELS = 9
const MAX_LISTS = 50_000
const SKIPPED = nameSet(`
  w:nsid w:tmpl w:multiLevelType w:pPr w:lvlJc w:numPicBullet w:lang w:sz w:color
`)

/** Reads the lists of a document; `listOfStyle` finds the list behind a numbering style. */
export const readNumbering = async (
  file: OfficePackage,
  part: string | undefined,
  listOfStyle: (style: string) => number | undefined,
): Promise<Numbering> => {
  const abstractLists = new Map<string, AbstractList>()
  const lists = new Map<number, List>()
  if (part !== undefined) {
    await readChildren(
      file,
      part,
      (element) => {
        if (abstractLists.size + lists.size >= MAX_LISTS) return
        if (element.name === 'w:abstractNum') {
          abstractLists.set(element.attributes['w:abstractNumId'] ?? '', readAbstractList(element))
        } else if (element.name === 'w:num') {
          const id = parseWhole(element.attributes['w:numId'])
          if (id !== undefined) lists.set(id, readList(element))
        }
      },
      SKIPPED,
    )
  }
  return countLists(abstractLists, lists, listOfStyle)
}

const readAbstractList = (element: Element): AbstractList => ({
  levels: new Map(
    childrenOf(element, 'w:lvl').map((level) => [parseWhole(level.attributes['w:ilvl']) ?? 0, readLevel(level)]),
  ),
  styleLink: settingOf(element, 'w:numStyleLink'),
})

const readLevel = (element: Element): Level => ({
  start: numberOf(element, 'w:start') ?? 0,
  format: settingOf(element, 'w:numFmt') ?? 'decimal',
  text: settingOf(element, 'w:lvlText') ?? '',
  restartAfter: numberOf(element, 'w:lvlRestart'),
  isLegal: toggleOf(element, 'w:isLgl') ?? false,
  font: fontOf(childOf(element, 'w:rPr')),
  style: settingOf(element, 'w:pStyle'),
})

const readList = (element: Element): List => ({
  abstractId: settingOf(element, 'w:abstractNumId') ?? '',
  overrides: new Map(
    childrenOf(element, 'w:lvlOverride').map((override) => {
      const level = childOf(override, 'w:lvl')
      return [
        parseWhole(override.attributes['w:ilvl']) ?? 0,
        { start: numberOf(override, 'w:startOverride'), level: level && readLevel(level) },
      ]
    }),
  ),
})

const countLists = (
  abstractLists: ReadonlyMap<string, AbstractList>,
  lists: ReadonlyMap<number, List>,
  listOfStyle: (style: string) => number | undefined,
): Numbering => {
  // Lists made from one abstract list go on counting where the other stopped, unless they say where to start.
  const counters = new Map<string, (number | undefined)[]>()
  const started = new Set<string>()

  /** A list may only point to the style that points to the real one. */
  const abstractOf = (list: List): { id: string; levels: ReadonlyMap<number, Level> } => {
    const own = abstractLists.get(list.abstractId)
    const linked = own?.styleLink === undefined ? undefined : lists.get(listOfStyle(own.styleLink) ?? -1)
    const target = linked && abstractLists.get(linked.abstractId)
    return target && linked
      ? { id: linked.abstractId, levels: target.levels }
      : { id: list.abstractId, levels: own?.levels ?? new Map() }
  }

  return {
    advance(listId, levelIndex) {
      const list = lists.get(listId)
      if (!list || levelIndex < 0 || levelIndex >= LEVELS) return undefined
      const { id, levels } = abstractOf(list)
      const levelAt = (index: number): Level | undefined => list.overrides.get(index)?.level ?? levels.get(index)
      const level = levelAt(levelIndex)
      if (!level) return undefined
      const counts = counters.get(id) ?? Array<number | undefined>(LEVELS).fill(undefined)
      counters.set(id, counts)

      const override = list.overrides.get(levelIndex)?.start
      const isFirstOfList = override !== undefined && !started.has(`${listId}/${levelIndex}`)
      const before = counts[levelIndex]
      counts[levelIndex] = isFirstOfList ? override : before === undefined ? level.start : before + 1
      if (isFirstOfList) started.add(`${listId}/${levelIndex}`)
      // A level that was skipped counts as used: 2.1.1 after 2 makes the next one 2.2.
      for (let upper = 0; upper < levelIndex; upper++) counts[upper] ??= levelAt(upper)?.start ?? 1
      for (let lower = levelIndex + 1; lower < LEVELS; lower++) {
        const restartAfter = levelAt(lower)?.restartAfter
        if (restartAfter === undefined || (restartAfter > 0 && levelIndex < restartAfter)) counts[lower] = undefined
      }
      return writeLabel(level, levelAt, counts)
    },
    levelOfStyle(listId, style) {
      const list = lists.get(listId)
      if (!list) return undefined
      for (const [index, level] of abstractOf(list).levels) if (level.style === style) return index
      return undefined
    },
  }
}

const writeLabel = (
  level: Level,
  levelAt: (index: number) => Level | undefined,
  counts: readonly (number | undefined)[],
): Label => {
  if (level.format === 'bullet') return { text: bulletOf(level.text, level.font), ordered: false }
  const text = level.text.replace(/%([1-9])/g, (_, digit: string) => {
    const index = Number(digit) - 1
    const format = levelAt(index)?.format ?? 'decimal'
    if (format === 'none') return ''
    return formatNumber(counts[index] ?? 1, level.isLegal ? 'decimal' : format)
  })
  return { text: text.trim(), ordered: level.format !== 'none' }
}
