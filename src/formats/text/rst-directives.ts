import { writeCode } from '../shared/markdown.ts'
import { dedent } from './indented-lines.ts'
import { quote, type RstContext } from './rst-context.ts'
import { convertInline } from './rst-inline.ts'
import { convertTable } from './rst-tables.ts'

const ADMONITIONS = new Set(
  'attention caution danger error hint important note tip warning seealso admonition todo'.split(' '),
)
// Machinery of the build, not content.
const DROPPED = new Set(
  'contents toctree index highlight default-role sectnum include meta raw currentmodule module autoclass automodule autofunction tabularcolumns class only-if role title header footer'.split(
    ' ',
  ),
)

/** An explicit markup block (`.. something`), its lines with the first one at no indentation. */
export const convertDirective = (lines: string[], context: RstContext): string => {
  const first = lines[0] ?? ''
  const note = /^\.\. \[(#?[\w.-]+|\*)\]\s*(.*)$/.exec(first)
  if (note) {
    const body = context.convertNested([note[2] ?? '', ...dedent(lines.slice(1))], context).replace(/\n+/g, ' ')
    return `[^${(note[1] ?? '').replace(/^#(?=.)/, '')}]: ${body}`
  }
  const directive = /^\.\. (?:\|[^|]+\| )?([\w:.+-]*\w)\s*::(?:\s+(.*))?$/.exec(first)
  // Anything else is a target, a substitution or a comment.
  if (!directive || first.startsWith('.. |')) return ''
  const { options, body } = splitBody(dedent(lines.slice(1)), (directive[1] ?? '').replace(/^.*:/, ''))
  return convertNamed((directive[1] ?? '').toLowerCase(), directive[2] ?? '', options, body, context)
}

type Options = Record<string, string>

const splitBody = (lines: string[], name: string): { options: Options; body: string[] } => {
  const options: Options = {}
  let at = 0
  for (; at < lines.length; at++) {
    const option = /^:([\w-]+):\s*(.*)$/.exec(lines[at] ?? '')
    if (!option || name === 'rubric') break
    options[option[1] ?? ''] = option[2] ?? ''
  }
  return { options, body: lines.slice(at) }
}

const convertNamed = (
  name: string,
  argument: string,
  options: Options,
  body: string[],
  context: RstContext,
): string => {
  const nested = () => context.convertNested(body, context)
  const title = convertInline(argument, context)
  if (DROPPED.has(name)) return ''
  if (ADMONITIONS.has(name)) {
    const label =
      name === 'admonition' ? title : `${name === 'seealso' ? 'See also' : name[0]?.toUpperCase() + name.slice(1)}`
    const text = [name === 'admonition' ? '' : title, nested()].filter(Boolean).join('\n\n')
    return quote(`**${label}:** ${text}`)
  }
  switch (name) {
    case 'code':
    case 'code-block':
    case 'sourcecode':
    case 'parsed-literal':
    case 'literalinclude':
    case 'prompt':
      return name === 'literalinclude'
        ? ''
        : writeCode(trimBlank(body).join('\n'), argument.trim().split(/\s/)[0] ?? '')
    case 'math':
      return `$$\n${[argument, ...trimBlank(body)].filter(Boolean).join('\n')}\n$$`
    case 'image':
      return `![${options.alt ?? ''}](${argument.trim()})`
    case 'figure':
      return [`![${options.alt ?? ''}](${argument.trim()})`, nested()].filter(Boolean).join('\n\n')
    case 'table':
      return [title, nested()].filter(Boolean).join('\n\n')
    case 'list-table':
      return [title, convertListTable(body, options, context)].filter(Boolean).join('\n\n')
    case 'csv-table':
      return [title, convertCsvTable(body, options, context)].filter(Boolean).join('\n\n')
    case 'rubric':
      return `**${title}**`
    case 'topic':
    case 'sidebar':
    case 'epigraph':
    case 'pull-quote':
    case 'highlights':
      return quote([title && `**${title}**`, nested()].filter(Boolean).join('\n\n'))
    case 'versionadded':
    case 'versionchanged':
    case 'deprecated': {
      const label = { versionadded: 'Added', versionchanged: 'Changed', deprecated: 'Deprecated' }[name]
      return [`*${label} in version ${title}*`, nested()].filter(Boolean).join('\n\n')
    }
    case 'function':
    case 'method':
    case 'attribute':
    case 'data':
    case 'py:function':
    case 'py:method':
    case 'py:class':
    case 'option':
      return [`\`${argument}\``, nested()].filter(Boolean).join('\n\n')
    default:
      return [title, nested()].filter(Boolean).join('\n\n')
  }
}

const trimBlank = (lines: string[]): string[] => {
  const first = lines.findIndex((line) => line !== '')
  return first < 0 ? [] : dedent(lines.slice(first))
}

/** A table written as a list of lists: `* - cell`. */
const convertListTable = (body: string[], options: Options, context: RstContext): string => {
  const rows: string[][] = []
  for (const line of trimBlank(body)) {
    const start = /^(\*\s+)?-(?:\s+(.*))?$/.exec(line.trimStart())
    if (start && (start[1] || rows.length > 0)) {
      if (start[1]) rows.push([])
      rows.at(-1)?.push(start[2] ?? '')
    } else if (line.trim() !== '') {
      const row = rows.at(-1)
      if (row?.length) row[row.length - 1] = `${row.at(-1)} ${line.trim()}`.trim()
    }
  }
  return splitTable(rows, [], options, context)
}

const convertCsvTable = (body: string[], options: Options, context: RstContext): string => {
  const split = (line: string) =>
    [...line.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g)]
      .slice(0, 200)
      .map((match) => (match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim())
      .slice(0, line.endsWith(',') ? undefined : -1)
  const rows = trimBlank(body).filter(Boolean).map(split)
  return splitTable(rows, options.header ? split(options.header) : [], options, context)
}

const splitTable = (rows: string[][], head: string[], options: Options, context: RstContext): string => {
  const headRows = head.length > 0 ? 0 : Math.min(1, Number(options['header-rows'] ?? 0) || 0)
  return convertTable(headRows === 1 ? (rows[0] ?? []) : head, rows.slice(headRows), context)
}
