import type { StreamFacts } from '../../engines/ffprobe.ts'

const MAX_CHARACTERS = 300

/**
 * The first thing that the engine said about a track: one of its decoder, else of the container. Undefined where it
 * only spoke of other tracks. Without places in its memory and paths on our disk.
 */
export const findComplaint = (stderr: string, { codec }: StreamFacts): string | undefined => {
  const lines = stderr.split('\n').filter((line) => /^\[[^\]]+ @ 0x/.test(line))
  const isAbout = (line: string, name: string) => line.startsWith(`[${name} @`)
  const own = lines.find((line) => isAbout(line, codec) || isAbout(line, `lib${codec}`))
  const found = own ?? lines.find((line) => /^\[[a-z0-9_]+(?:,[a-z0-9_]+)+ @/.test(line))
  return found
    ?.replace(/ @ 0x[0-9a-f]+/g, '')
    .replace(/file:\/\S*/g, 'the file')
    .slice(0, MAX_CHARACTERS)
}
