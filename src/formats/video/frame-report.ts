/** A frame that was chosen: its time in microseconds, and what the filters say about it. */
export type ChosenFrame = { microseconds: number; facts: Readonly<Record<string, string>> }

/** Filters that report each frame that passes on the engine's standard output, marked with a label. */
export const reportFilters = (label: string): string[] => [
  // The engine prints times with six digits; whole microseconds it prints in full.
  'settb=1/1000000',
  `metadata=mode=add:key=quarry:value=${label}`,
  String.raw`metadata=mode=print:file=pipe\\:1:direct=1`,
]

/** Reads what `reportFilters` write, in whatever pieces it comes. */
export const readFrameReport = (onFrame: (frame: ChosenFrame) => void): ((chunk: Buffer) => void) & { end(): void } => {
  let rest = ''
  let frame: { microseconds: number; facts: Record<string, string> } | undefined
  const finish = () => {
    if (frame) onFrame(frame)
    frame = undefined
  }
  const readLine = (line: string) => {
    const head = /^frame:\d+\s+pts:(-?\d+|NOPTS)/.exec(line)
    if (head) {
      finish()
      frame = { microseconds: head[1] === 'NOPTS' ? 0 : Number(head[1]), facts: {} }
      return
    }
    const equals = line.indexOf('=')
    if (frame && equals > 0) frame.facts[line.slice(0, equals)] = line.slice(equals + 1)
  }
  const take = (chunk: Buffer) => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) readLine(line)
  }
  return Object.assign(take, { end: finish })
}
