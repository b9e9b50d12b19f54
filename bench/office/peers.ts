import { execFile } from 'node:child_process'
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

const mammoth = async (): Promise<Peer | undefined> => {
  const [reader, turndown, tables] = await Promise.all(['mammoth', 'turndown', 'turndown-plugin-gfm'].map(load))
  if (!reader || !turndown || !tables) return undefined
  type Html = { value: string }
  const { convertToHtml, images } = (reader.default ?? reader) as unknown as {
    convertToHtml(input: { path: string }, options: object): Promise<Html>
    images: { imgElement(make: () => Promise<{ src: string }>): unknown }
  }
  const Turndown = turndown.default as unknown as new (
    options: object,
  ) => { use(plugin: unknown): void; turndown(html: string): string }
  return {
    name: 'mammoth+turndown',
    extensions: ['docx'],
    async convert(file) {
      const convertImage = images.imgElement(async () => ({ src: 'image' }))
      const { value } = await convertToHtml({ path: file }, { convertImage })
      const writer = new Turndown({ headingStyle: 'atx' })
      writer.use(tables.gfm)
      return writer.turndown(value)
    },
  }
}

const officeparser = async (): Promise<Peer | undefined> => {
  const parser = await load('officeparser')
  if (!parser) return undefined
  const { parseOffice } = parser as unknown as {
    parseOffice(file: string): Promise<{ to(format: string): Promise<{ value: string }> }>
  }
  return {
    name: 'officeparser',
    extensions: ['docx', 'pptx'],
    convert: async (file) => (await (await parseOffice(file)).to('md')).value,
  }
}

const pandoc = async (): Promise<Peer | undefined> => {
  try {
    await run('pandoc', ['--version'])
  } catch {
    return undefined
  }
  return {
    name: 'pandoc',
    extensions: ['docx'],
    convert: async (file) =>
      (await run('pandoc', ['--to', 'gfm', '--wrap', 'none', file], { maxBuffer: 64 * 1024 ** 2 })).stdout,
  }
}

/** The other tools that are here. */
export const findPeers = async (): Promise<Peer[]> =>
  (await Promise.all([mammoth(), officeparser(), pandoc()])).filter((peer) => peer !== undefined)
