import type { Workflow } from './form-state.ts'

const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The same job as a call of the API. The key stays in the variable that the reader sets. */
export const writeCurl = (
  origin: string,
  { workflow, fileName, options }: { workflow: Workflow; fileName: string; options: object },
): string => {
  const path = workflow === 'extract' ? '/extract' : '/extract/transcribe'
  // Inside double quotes curl takes commas and semicolons for what they are.
  const file = `file=@"${fileName.replace(/[\\"]/g, '\\$&')}"`
  return [
    `curl ${quoteForShell(`${origin}${path}`)}`,
    '-H "X-Fast-Api-Key: $QUARRY_KEY"',
    `-F ${quoteForShell(file)}`,
    `-F ${quoteForShell(`options=${JSON.stringify(options)}`)}`,
  ].join(' \\\n  ')
}
