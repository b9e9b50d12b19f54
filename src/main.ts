import { ConfigError, readConfig } from './config.ts'
import type { Role } from './serve.ts'

const [command = 'serve', ...args] = process.argv.slice(2)

try {
  if (command === 'serve' || command === 'api' || command === 'worker') await runService(command)
  else {
    // Each loads only what is its own: a command should not wait for a server.
    const { runCommand } = await import('./cli/commands.ts')
    process.exitCode = await runCommand([command, ...args])
  }
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
  )
  // What was opened before the failure must not keep the process.
  process.exit(1)
}

async function runService(role: Role): Promise<void> {
  const config = readConfig()
  const starting = import('./serve.ts').then(({ serve }) => serve(config, role))
  let stopping = false
  // From the first moment on: a stop that comes during the start waits for its end, and leaves nothing behind.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // Asked twice: leave now. Jobs that ran come back to the queue when their lease runs out.
      if (stopping) process.exit(1)
      stopping = true
      starting
        .then((service) => service.stop())
        .then(
          () => process.exit(0),
          (error) => {
            process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
            process.exit(1)
          },
        )
    })
  }
  await starting
}
