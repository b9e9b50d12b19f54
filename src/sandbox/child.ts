import { primeModules } from './prime-modules.ts'
import { serveParent } from './serve-parent.ts'

/** The program of a sandboxed child. With `--prime` it only leaves its compiled sources behind for the others. */

const [first = '', ...rest] = process.argv.slice(2)
if (first === '--prime') {
  process.stdin.on('close', () => process.exit(1)).resume()
  await primeModules(JSON.parse(rest[0] ?? '[]'))
  process.exit(0)
}
const [inFolder = '', outFolder = ''] = rest
await serveParent(JSON.parse(first), { inFolder, outFolder })
