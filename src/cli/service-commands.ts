import { describeConfig } from '../config.ts'
import type { Command } from './command.ts'
import { table } from './print.ts'

/** The service itself: what it runs with, and whether it is well. */
export const serviceCommands: Readonly<Record<string, Command>> = {
  doctor: {
    args: '[--ledger]',
    detail: 'engines, isolation, database; with --ledger, the books',
    needsFoundation: true,
    run: async ({ flags, foundation }) => {
      const { diagnose } = await import('./diagnose.ts')
      return diagnose(foundation, { withLedger: flags.ledger === true })
    },
  },
  config: {
    args: '',
    detail: 'every setting, its value and meaning',
    needsFoundation: false,
    run: async () => {
      const settings = describeConfig()
      const rows = settings.map(({ setting, value, detail }) => ({ setting, value, detail }))
      return { value: settings, text: table(rows) }
    },
  },
}
