import type { Tool } from '../core/catalog.ts'

/** Programs that the sandbox itself is built from; set-up installs them and doctor looks for them. */
export const SANDBOX_TOOLS: readonly Tool[] = [
  {
    name: 'bubblewrap',
    command: 'bwrap',
    versionArgs: ['--version'],
    debianPackage: 'bubblewrap',
    purpose: 'gives each extraction a file system of its own and no network',
  },
  {
    name: 'setpriv',
    command: 'setpriv',
    versionArgs: ['--version'],
    debianPackage: 'util-linux',
    purpose: 'drops root before any file is opened',
  },
  {
    name: 'prlimit',
    command: 'prlimit',
    versionArgs: ['--version'],
    debianPackage: 'util-linux',
    purpose: 'bounds CPU time, memory, file size and descriptors of each extraction',
  },
]
