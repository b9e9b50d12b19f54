import type { Cell, Table } from '../document/model.ts'
import { childOf, childrenOf, descend, type Element, findAll, findFirst, nameSet, textOf } from '../xml/tree.ts'
import { type Budget, createBudget } from './budget.ts'
import { showValue } from './chart-values.ts'
import type { OfficePackage } from './package.ts'
import { readTree } from './read-part.ts'

type Series = { name: string; categories: string[]; values: string[] }

const MAX_POINTS = 20_000
const MAX_SERIES = 500
const SKIPPED = nameSet(`
  c:spPr c:txPr c:extLst c:dLbls c:externalData c:clrMapOvr c:marker c:dPt
`)

/** What a chart draws. */
export type Chart = {
  title: string
  /** `column`, `pie`; empty where it is of no kind that has a name here. */
  kind: string
  /** The names of the series first; none where the chart holds no data. */
  rows: Cell[][]
}

/** Reads the data behind a chart; undefined where it has neither data nor a title. */
export const readChart = async (
  file: OfficePackage,
  part: string,
  budget: Budget = createBudget(),
): Promise<Chart | undefined> => {
  const tree = await readTree(file, part, SKIPPED)
  if (!tree) return undefined
  const isExtended = tree.name === 'cx:chartSpace'
  const title = titleOf(isExtended ? findFirst(tree, 'cx:title') : descend(tree, 'c:chart', 'c:title'))
  const rows = layOut(isExtended ? readExtendedSeries(tree) : readSeries(tree))
  budget.countBlocks(rows.length * (rows[0]?.length ?? 0))
  return rows.length === 0 && title === '' ? undefined : { title, kind: kindOf(tree), rows }
}

/** The title of a chart with its kind, for a table says neither that it was one nor which. */
export const nameChart = ({ title, kind }: Pick<Chart, 'title' | 'kind'>): string => {
  const name = kind === '' ? 'chart' : `${kind} chart`
  return title === '' ? `${name.charAt(0).toUpperCase()}${name.slice(1)}` : `${title} (${name})`
}

/** A chart as a table of its data. */
export const toChartTable = (chart: Chart): Table => ({
  kind: 'table',
  rows: chart.rows,
  headerRows: chart.rows.length > 0 ? 1 : 0,
  caption: [{ kind: 'text', text: nameChart(chart) }],
})

const titleOf = (title: Element | undefined): string => {
  const rich = findAll(title, 'a:t').map(textOf).join('')
  return (rich || findAll(title, 'c:v').map(textOf).join(' ')).trim()
}

/** What kinds of charts are called, by the elements that they are written as and by the layouts of newer ones. */
const KINDS: Readonly<Record<string, string>> = {
  bar: 'bar',
  line: 'line',
  pie: 'pie',
  ofPie: 'pie',
  doughnut: 'doughnut',
  area: 'area',
  scatter: 'scatter',
  bubble: 'bubble',
  radar: 'radar',
  stock: 'stock',
  surface: 'surface',
  clusteredColumn: 'column',
  waterfall: 'waterfall',
  treemap: 'treemap',
  sunburst: 'sunburst',
  funnel: 'funnel',
  boxWhisker: 'box and whisker',
  paretoLine: 'Pareto',
  regionMap: 'map',
}

const kindsOf = (tree: Element): string[] =>
  tree.name === 'cx:chartSpace'
    ? findAll(tree, 'cx:series').map(({ attributes }) => KINDS[attributes.layoutId ?? ''] ?? '')
    : childrenOf(descend(tree, 'c:chart', 'c:plotArea')).map((plot) => {
        const name = /^c:(\w+?)(?:3D)?Chart$/.exec(plot.name)?.[1] ?? ''
        const isUpright = name === 'bar' && childOf(plot, 'c:barDir')?.attributes.val !== 'bar'
        return isUpright ? 'column' : (KINDS[name] ?? '')
      })

const MAX_KINDS = 3
const kindOf = (tree: Element): string =>
  [...new Set(kindsOf(tree))]
    .filter((kind) => kind !== '')
    .slice(0, MAX_KINDS)
    .join(' and ')

const readSeries = (tree: Element): Series[] =>
  findAll(descend(tree, 'c:chart', 'c:plotArea'), 'c:ser')
    .slice(0, MAX_SERIES)
    .map((series) => ({
      name: findAll(childOf(series, 'c:tx'), 'c:v').map(textOf).join(' '),
      categories: readPoints(childOf(series, 'c:cat') ?? childOf(series, 'c:xVal')),
      values: readPoints(childOf(series, 'c:val') ?? childOf(series, 'c:yVal')),
    }))

/** The points of a series, each at its index; several levels of categories are joined. */
const readPoints = (data: Element | undefined): string[] => {
  const levels = findAll(data, 'c:lvl')
  if (levels.length > 0) {
    const texts = levels.map((level) => fillDown(readCache(level))).reverse()
    const count = Math.max(...texts.map((points) => points.length))
    return Array.from({ length: count }, (_, at) =>
      texts
        .map((points) => points[at] ?? '')
        .filter(Boolean)
        .join(' / '),
    )
  }
  const cache = ['c:numCache', 'c:strCache', 'c:numLit', 'c:strLit'].map((name) => findFirst(data, name)).find(Boolean)
  return cache ? readCache(cache) : []
}

const readCache = (cache: Element): string[] => {
  const format = textOf(childOf(cache, 'c:formatCode'))
  const isNumber = cache.name === 'c:numCache' || cache.name === 'c:numLit'
  const points: string[] = []
  for (const point of childrenOf(cache, 'c:pt')) {
    const index = Number(point.attributes.idx)
    if (!Number.isInteger(index) || index < 0 || index >= MAX_POINTS) continue
    const text = textOf(childOf(point, 'c:v'))
    points[index] = isNumber ? showValue(text, point.attributes.formatCode ?? format) : text
  }
  return Array.from(points, (point) => point ?? '')
}

/** An outer category is written once, at the first point that it holds for. */
const fillDown = (points: string[]): string[] => {
  let last = ''
  return points.map((point) => (last = point || last))
}

const readExtendedSeries = (tree: Element): Series[] => {
  const names = findAll(tree, 'cx:series').map((series) => textOf(findFirst(childOf(series, 'cx:tx'), 'cx:v')))
  return findAll(tree, 'cx:data')
    .slice(0, MAX_SERIES)
    .map((data, index) => {
      const read = (name: string) =>
        findAll(findFirst(data, name), 'cx:pt')
          .slice(0, MAX_POINTS)
          .map((point) => textOf(point))
      return {
        name: names[index] ?? '',
        categories: read('cx:strDim'),
        values: read('cx:numDim').map((value) => showValue(value, '')),
      }
    })
}

const cell = (text: string): Cell => ({
  blocks: text === '' ? [] : [{ kind: 'paragraph', content: [{ kind: 'text', text }] }],
})

/** One column of categories where all series share it, else one beside each series. */
const layOut = (series: readonly Series[]): Cell[][] => {
  const used = series.filter(({ values, categories }) => values.length > 0 || categories.length > 0)
  const [first] = used
  if (!first) return []
  const shared = used.find(({ categories }) => categories.length > 0)?.categories ?? []
  const isShared = used.every(({ categories }) => categories.length === 0 || isSame(categories, shared))
  const count = Math.max(...used.map(({ values, categories }) => Math.max(values.length, categories.length)))
  const columns = isShared
    ? [{ head: '', points: shared }, ...used.map(({ name, values }) => ({ head: name, points: values }))]
    : used.flatMap(({ name, categories, values }) => [
        { head: '', points: categories },
        { head: name, points: values },
      ])
  return [
    columns.map(({ head }) => ({ ...cell(head), header: true })),
    ...Array.from({ length: count }, (_, at) => columns.map(({ points }) => cell(points[at] ?? ''))),
  ]
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, index) => text === b[index])
