/** `node measure-one.ts ENGINE FILE…`: reads each file in this process; one JSON line of what it took, and the markdown. */
import { ENGINES } from './engines.ts'

const [engineName = '', ...files] = process.argv.slice(2)
const engine = ENGINES[engineName]
if (!engine) throw new Error(`no engine ${engineName}`)
const cpuSeconds = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
const results: { file: string; ok: boolean; markdown?: string }[] = []
// The first file pays for the loading of the engine.
if (files.length > 1) await engine(files[0] as string).catch(() => undefined)
const before = files.length > 1 ? cpuSeconds() : 0
for (const file of files) {
  try {
    const markdown = await engine(file)
    results.push({ file, ok: true, ...(files.length > 1 ? { markdown } : {}) })
  } catch {
    results.push({ file, ok: false })
  }
}
process.stdout.write(
  JSON.stringify({
    cpuSeconds: cpuSeconds() - before,
    peakMb: Math.round(process.resourceUsage().maxRSS / 1024),
    results,
  }),
)
