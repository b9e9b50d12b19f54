import type { Context } from '../../core/catalog.ts'

/** The text breaks the grammar of its format. */
export class Malformed extends Error {
  override readonly name = 'Malformed'
  readonly line: number
  readonly column: number
  constructor(message: string, line: number, column: number) {
    super(message)
    this.line = line
    this.column = column
  }
}

/** Tells the client that an output cannot be made because the content is broken; the text still can. */
export const warnMalformed = (context: Context, problem: Malformed): void =>
  context.warn('data.malformed', `Line ${problem.line}, column ${problem.column}: ${problem.message}`)

/** Tells the client that the source broke off, and that what came before the break is given. */
export const warnTruncated = (context: Context): void =>
  context.warn('data.truncated', 'The text breaks off before its end; everything before the break is there.')
