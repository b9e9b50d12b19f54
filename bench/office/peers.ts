import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** Another tool that makes markdown; undefined where it is not on this machine. */
export type Peer = { name: string; extensions: readonly string[]; convert(file: string): Promise<string> }

const run = promisify(execFile)
/** Packages by name, so that the benchmark runs, and says so, where they are not installed. */
const load = async (name: string): Promise<Record<string, never> | undefined> => {
  try {
    return (await import(name)) as Record<string, never>
  } catch {
    return undefined
  }
}

type Turndown = { use(plugin: unknown): void; turndown(html: string): string }

/** Turns HTML into markdown with the tables of GitHub, for tools that stop at HTML. */
const loadTurndown = async (): Promise<((html: string) => string) | undefined> => {
  const [turndown, tables] = await Promise.all(['turndown', '@joplin/turndown-plugin-gfm'].map(load))
  if (!turndown || !tables) return undefined
  const Writer = turndown.default as unknown as new (options: object) => Turndown
  return (html) => {
    const writer = new Writer({ headingStyle: 'atx' })
    writer.use(tables.gfm)
    return writer.turndown(html)
  }
}

const mammoth = async (): Promise<Peer | undefined> => {
  const [reader, toMarkdown] = await Promise.all([load('mammoth'), loadTurndown()])
  if (!reader || !toMarkdown) return undefined
  const { convertToHtml, images } = (reader.default ?? reader) as unknown as {
    convertToHtml(input: { path: string }, options: object): Promise<{ value: string }>
    images: { imgElement(make: () => Promise<{ src: string }>): unknown }
  }
  return {
    name: 'mammoth+turndown',
    extensions: ['docx'],
    async convert(file) {
      const convertImage = images.imgElement(async () => ({ src: 'image' }))
      return toMarkdown((await convertToHtml({ path: file }, { convertImage })).value)
    },
  }
}

const turndown = async (): Promise<Peer | undefined> => {
  const toMarkdown = await loadTurndown()
  return (
    toMarkdown && {
      name: 'turndown',
      extensions: ['html'],
      convert: async (file) => toMarkdown(await readFile(file, 'utf8')),
    }
  )
}

const officeparser = async (): Promise<Peer | undefined> => {
  const parser = await load('officeparser')
  if (!parser) return undefined
  const { parseOffice } = parser as unknown as {
    parseOffice(file: string, options: object): Promise<{ to(format: string): Promise<{ value: string }> }>
  }
  return {
    name: 'officeparser',
    extensions: ['docx', 'pptx', 'xlsx', 'html'],
    convert: async (file) =>
      (await (await parseOffice(file, { fileType: file.slice(file.lastIndexOf('.') + 1) })).to('md')).value,
  }
}

/** Starts a process for each file; it has no other way. */
const pandoc = async (): Promise<Peer | undefined> => {
  try {
    await run('pandoc', ['--version'])
  } catch {
    return undefined
  }
  return {
    name: 'pandoc',
    extensions: ['docx', 'html'],
    convert: async (file) =>
      (await run('pandoc', ['--to', 'gfm', '--wrap', 'none', file], { maxBuffer: 64 * 1024 ** 2 })).stdout,
  }
}

/** The other tools that are here. */
export const findPeers = async (): Promise<Peer[]> =>
  (await Promise.all([mammoth(), turndown(), officeparser(), pandoc()])).filter((peer) => peer !== undefined)
