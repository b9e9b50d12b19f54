import { defineFormat } from '../../../src/core/catalog.ts'
import { act, more, probe } from './act.ts'

/** Does what its file says, above all what no file should make an engine do: limits are tested by breaking them. */
export default defineFormat({
  name: 'mischief',
  category: 'test',
  pool: 'document',
  extensions: ['mischief'],
  mimeTypes: { mischief: ['application/x-mischief'] },
  price: [{ metric: 'megabytes', per: 5 }],
  accepts: [],
  engines: [{ name: 'mischief', version: '1.0.0' }],
  probe,
  capabilities: [act, more],
})
