import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('the filling of the module cache ends when the process that asked for it is gone', async () => {
  const args = [join(import.meta.dirname, 'child.ts'), '--prime', '[]']
  const primer = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'] })
  // What the kernel does with the pipe of a killed process.
  primer.stdin.destroy()
  expect(await once(primer, 'exit')).toEqual([1, null])
})
