/** What a Markdown document says about itself. */
export type Outline = {
  title?: string
  frontMatter?: unknown
  headings: { level: number; text: string }[]
  /** True when there are more headings than are listed. */
  headingsCut: boolean
}

const MAX_HEADINGS = 1_000
const MAX_HEADING_CHARACTERS = 500
const MAX_FRONT_MATTER_CHARACTERS = 65_536

/** Collects title, front matter and headings from the lines of a Markdown document. */
export const makeOutline = (): { add(line: string): void; finish(): Promise<Outline> } => {
  const headings: Outline['headings'] = []
  let total = 0
  let fence: string | undefined
  let previous = ''
  let lineNumber = 0
  const front: { marker?: string; text: string; open: boolean } = { text: '', open: false }

  const push = (level: number, text: string) => {
    const plain = plainHeading(text)
    if (plain === '') return
    total++
    if (headings.length < MAX_HEADINGS) headings.push({ level, text: plain })
  }
  const add = (line: string) => {
    if (lineNumber++ === 0 && /^(?:---|\+\+\+)\s*$/.test(line)) {
      front.marker = line.trim()
      front.open = true
      return
    }
    if (front.open) {
      if (line.trim() === front.marker || (front.marker === '---' && line.trim() === '...')) front.open = false
      else if (front.text.length < MAX_FRONT_MATTER_CHARACTERS) front.text += `${line}\n`
      return
    }
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line.slice(0, 200))?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined
      previous = ''
      return
    }
    if (mark) fence = mark
    const heading = line.length < 4_096 ? /^ {0,3}(#{1,6})(?:[ \t](.*))?$/.exec(line) : null
    if (heading) push(heading[1]?.length ?? 1, withoutClosingMarks(heading[2] ?? ''))
    else if (previous !== '' && line.length < 300 && /^ {0,3}(?:=+|-+)[ \t]*$/.test(line)) {
      push(line.trim().startsWith('=') ? 1 : 2, previous)
    }
    previous =
      heading || mark || /^(?:\s*$| {4}|\s*[-*+>|] ?|\s*\d+[.)] )/.test(line)
        ? ''
        : line.slice(0, MAX_HEADING_CHARACTERS)
  }
  const finish = async (): Promise<Outline> => {
    const frontMatter = front.marker && !front.open ? await parseFrontMatter(front.text, front.marker) : undefined
    const named = (frontMatter as { title?: unknown } | undefined)?.title
    const title = typeof named === 'string' ? named : (headings.find(({ level }) => level === 1) ?? headings[0])?.text
    return {
      ...(title === undefined ? {} : { title }),
      ...(frontMatter === undefined ? {} : { frontMatter }),
      headings,
      headingsCut: total > headings.length,
    }
  }
  return { add, finish }
}

const withoutClosingMarks = (text: string): string => {
  const trimmed = text.trim()
  let end = trimmed.length
  while (trimmed[end - 1] === '#') end--
  return end === 0 || /\s/.test(trimmed[end - 1] ?? '') ? trimmed.slice(0, end) : trimmed
}

const plainHeading = (text: string): string =>
  text
    .slice(0, MAX_HEADING_CHARACTERS)
    .replace(/!?\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replace(/\s*\{#[^{}]*\}\s*$/, '')
    .replace(/\\([!-/:-@[-`{-~])|[*`]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .trim()

/** Front matter that does not parse is no front matter. */
const parseFrontMatter = async (text: string, marker: string): Promise<unknown> => {
  try {
    if (marker === '+++') return (await import('smol-toml')).parse(text)
    const { parse } = await import('yaml')
    const value: unknown = parse(text, { maxAliasCount: 50, logLevel: 'silent' })
    return value !== null && typeof value === 'object' ? value : undefined
  } catch {
    return undefined
  }
}
