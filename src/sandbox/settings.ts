/** What one job may use. */
export type SandboxLimits = {
  wallSeconds: number
  /** Longest time without a sign of progress. */
  stallSeconds: number
  cpuSeconds: number
  /** Resident memory of the child and everything it starts. */
  memoryBytes: number
  outputBytes: number
  outputFiles: number
  openFiles: number
}

/** How the sandbox runs its children. */
export type SandboxSettings = {
  /** Where the children's folders live; nothing else may be kept there. */
  folder: string
  /** More folders of format families, absolute. */
  formatFolders: readonly string[]
  /** More that children may read, absolute. */
  readable?: readonly string[]
  /** `auto` takes the best that works here. */
  isolation: 'auto' | Isolation
  /** First of a range, one id per child, used when the service is started as root: no child can touch another. */
  unprivilegedUid: number
  unprivilegedGid: number
  /** Children at work at once. */
  maxChildren: number
  /** Warm children that belong to nobody yet. */
  spares: number
  /** Jobs after which a child is retired. */
  jobsPerChild: number
  /** A child that has had no work for so long is retired. */
  idleSeconds: number
  limits: SandboxLimits
  /** Told about trouble that belongs to no job. */
  warn?: (message: string, cause?: unknown) => void
}

/**
 * `bubblewrap`: own file system, no network, unprivileged. `user`: an unprivileged user, network and the readable
 * part of the system in sight. `none`: the user of the service itself.
 */
export type Isolation = 'bubblewrap' | 'user' | 'none'
