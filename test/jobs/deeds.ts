/** The content of a `.mischief` file that takes its time. */
export const slow = (seconds: number, steps = 4): string => JSON.stringify({ do: 'slow', seconds, steps })
/** One that behaves. */
export const ok = (text = 'ok\n'): string => JSON.stringify({ do: 'ok', text })
