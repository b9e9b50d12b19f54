import { loadCatalog } from '../../src/formats/index.ts'
import { memoryMbOf } from '../support/measure.ts'
import { extractText } from './extract.ts'

// A process of its own, so that its memory is that of one file: `node extract-one.ts FILE OUTPUT` prints JSON.
const [file = '', output = 'markdown'] = process.argv.slice(2)
const catalog = await loadCatalog()
const before = process.cpuUsage()
let outcome: string
try {
  outcome = `${(await extractText(catalog, file, output)).length} characters`
} catch (error) {
  outcome = (error as { code?: string }).code ?? String(error)
}
const { user, system } = process.cpuUsage(before)
console.log(
  JSON.stringify({ outcome, cpuSeconds: (user + system) / 1e6, peakMb: Math.round(memoryMbOf(process.pid).peak) }),
)
