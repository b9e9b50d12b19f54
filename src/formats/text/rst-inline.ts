import { escapeInline, inlineCode } from '../shared/markdown.ts'

/** What a reStructuredText document defines in one place and uses in others. */
export type RstNames = { targets: Map<string, string>; substitutions: Map<string, string> }

const key = (name: string) => name.toLowerCase().replace(/\s+/g, ' ').trim()

/** Collects hyperlink targets and substitutions ahead, because they are often defined at the end. */
export const collectNames = (lines: readonly string[]): RstNames => {
  const names: RstNames = { targets: new Map(), substitutions: new Map() }
  for (const line of lines) {
    if (!line.trimStart().startsWith('.. ')) continue
    const target = /^\s*\.\. _(`[^`]+`|[^:`]+):\s+(\S+)\s*$/.exec(line)
    if (target?.[1] && target[2] && !target[2].endsWith('_'))
      names.targets.set(key(target[1].replaceAll('`', '')), target[2])
    const substitution = /^\s*\.\. \|([^|]+)\| (replace|image|unicode)::\s*(.*)$/.exec(line)
    if (substitution?.[1]) {
      const value = substitution[3] ?? ''
      names.substitutions.set(key(substitution[1]), substitution[2] === 'image' ? `![](${value})` : escapeInline(value))
    }
  }
  return names
}

const INLINE = new RegExp(
  [
    /``(?<literal>[^`]+(?:`[^`]+)*)``/,
    /:(?<role>[a-z][\w:.+-]{0,40}):`(?<roleText>[^`]+)`/,
    /`(?<linkText>[^`<]*[^`<\s])\s*<(?<linkUrl>[^`<>]+)>`__?/,
    /`(?<reference>[^`]+)`__?/,
    /`(?<interpreted>[^`]+)`/,
    /(?<![\w*])\*\*(?<strong>[^\s*](?:[^*]*[^\s*])?)\*\*(?![\w*])/,
    /(?<![\w*])\*(?<emphasis>[^\s*](?:[^*]*[^\s*])?)\*(?![\w*])/,
    /\[(?<note>#?[\w.-]+|\*)\]_(?!\w)/,
    /\|(?<substitution>[^|\s](?:[^|]{0,80}[^|\s])?)\|__?/,
    /\|(?<plainSubstitution>[^|\s](?:[^|]{0,80}[^|\s])?)\|/,
    /(?<![\w/])(?<simpleReference>[A-Za-z][A-Za-z0-9]{0,60}(?:[-.:+][A-Za-z0-9]{1,60}){0,6})__?(?![\w/])/,
    /(?<url>https?:\/\/[^\s<>"'`]+[^\s<>"'`.,;:!?)\]])/,
    /\\(?<escaped>[^\w\s])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/** Inline markup of one paragraph as Markdown. */
export const convertInline = (text: string, names: RstNames): string => {
  let out = ''
  let at = 0
  for (const match of text.matchAll(INLINE)) {
    out += escapeInline(text.slice(at, match.index))
    out += convertMatch(match[0], match.groups ?? {}, names)
    at = match.index + match[0].length
  }
  return (out + escapeInline(text.slice(at))).replace(/\\ /g, '')
}

const convertMatch = (all: string, found: Record<string, string | undefined>, names: RstNames): string => {
  if (found.literal !== undefined) return inlineCode(found.literal)
  if (found.role !== undefined) return convertRole(found.role, found.roleText ?? '')
  if (found.linkText !== undefined) return link(found.linkText, found.linkUrl ?? '', names)
  if (found.reference !== undefined) return link(found.reference, found.reference, names)
  if (found.interpreted !== undefined) return `*${escapeInline(found.interpreted)}*`
  if (found.strong !== undefined) return `**${escapeInline(found.strong)}**`
  if (found.emphasis !== undefined) return `*${escapeInline(found.emphasis)}*`
  if (found.note !== undefined) return `[^${found.note.replace(/^#(?=.)/, '')}]`
  const substitution = found.substitution ?? found.plainSubstitution
  if (substitution !== undefined) return names.substitutions.get(key(substitution)) ?? escapeInline(all)
  if (found.simpleReference !== undefined) {
    return names.targets.has(key(found.simpleReference))
      ? link(found.simpleReference, found.simpleReference, names)
      : escapeInline(all)
  }
  if (found.escaped !== undefined) return `\\${found.escaped}`
  return all
}

const link = (text: string, target: string, names: RstNames): string => {
  const url = names.targets.get(key(target.replace(/_$/, ''))) ?? target
  const isUrl = /^(?:[a-z][a-z0-9+.-]*:|[./#])|\.\w{2,5}(?:[/#?]|$)/i.test(url) && !/\s/.test(url)
  return isUrl ? `[${escapeInline(text.trim())}](${url})` : escapeInline(text.trim())
}

const CODE_ROLES =
  /^(?:code|literal|kbd|samp|file|command|program|option|envvar|(?:[a-z]+:)?(?:func|meth|class|mod|attr|data|const|exc|obj|type|var|macro|member))$/

const convertRole = (role: string, text: string): string => {
  const shown = /^(.*?[^\s<])\s*<[^<>]*>$/.exec(text)?.[1] ?? text.replace(/^[~!]/, '')
  if (role === 'math') return `$${text}$`
  if (role === 'emphasis' || role === 'title' || role === 'dfn') return `*${escapeInline(shown)}*`
  if (role === 'strong' || role === 'guilabel' || role === 'menuselection') return `**${escapeInline(shown)}**`
  if (role === 'sub' || role === 'subscript') return `<sub>${escapeInline(text)}</sub>`
  if (role === 'sup' || role === 'superscript') return `<sup>${escapeInline(text)}</sup>`
  if (CODE_ROLES.test(role)) return inlineCode(shown)
  return escapeInline(shown)
}
