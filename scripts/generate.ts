import { readFile, writeFile } from 'node:fs/promises'
import { describeConfig } from '../src/config.ts'
import type { Catalog, Format } from '../src/core/catalog.ts'
import { JOB_FAILURES, REQUEST_ERRORS } from '../src/core/errors.ts'
import { PRICE_METRICS } from '../src/core/metrics.ts'
import { DEFAULT_PLANS } from '../src/core/plans.ts'
import { loadCatalog } from '../src/formats/index.ts'

const NOTE = '<!-- Written by `npm run generate` from the code. Change the code, not this page. -->\n'

/** The pages of `docs/reference/` as the code has them now: path and content. */
export const generatePages = async (): Promise<Map<string, string>> => {
  const catalog = await loadCatalog()
  return new Map([
    ['docs/reference/formats.md', formatsPage(catalog)],
    ['docs/reference/errors.md', errorsPage()],
    ['docs/reference/configuration.md', configurationPage()],
    ['docs/reference/plans.md', plansPage()],
  ])
}

const row = (cells: readonly unknown[]): string =>
  `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
const code = (text: unknown): string => `\`${String(text)}\``

const formatsPage = (catalog: Catalog): string =>
  `${NOTE}\n# Formats\n\nEvery family the service takes, its capabilities, options and price. The same facts are served by \`GET /extract/extractors\` and \`GET /extract/options/{format}\`.\n\n${catalog.formats.map(formatSection).join('\n\n')}\n`

const formatSection = (format: Format): string => {
  const terms = format.price.map(
    ({ metric, per, credits, extensions }) =>
      `${credits ?? 1} for each started ${per} ${PRICE_METRICS[metric].unit}${per === 1 ? '' : 's'}${extensions ? ` (${extensions.join(', ')})` : ''}`,
  )
  const capabilities = format.capabilities.map((capability) => [
    code(capability.id),
    capability.output,
    capability.defaultSelected ? 'yes' : 'no',
    capability.detail ?? '',
  ])
  const options = format.capabilities.flatMap((capability) =>
    Object.entries(capability.options).map(([id, option]) => [
      code(capability.id),
      code(id),
      option.type,
      code(JSON.stringify(option.defaultValue)),
      'installed' in option
        ? 'what is installed'
        : 'allowedValues' in option
          ? option.allowedValues.map(code).join(' ')
          : 'min' in option
            ? `${option.min} to ${option.max}`
            : '',
      option.detail ?? '',
    ]),
  )
  return [
    `## ${format.name}`,
    '',
    `Category \`${format.category}\`, pool \`${format.pool}\`. Price in credits: ${terms.length > 1 ? 'the greatest of ' : ''}${terms.join(', ')}; at least 1.`,
    '',
    `Extensions: ${format.extensions.map(code).join(' ')}`,
    '',
    table(['capability', 'output', 'by default', 'what it gives'], capabilities),
    ...(options.length > 0
      ? ['', table(['capability', 'option', 'type', 'default', 'allowed', 'meaning'], options)]
      : []),
    ...(format.constraints?.length ? ['', ...format.constraints.map((constraint) => `- ${constraint.detail}`)] : []),
  ].join('\n')
}

const errorsPage = (): string =>
  [
    NOTE,
    '# Errors',
    '',
    'Branch on `error` (or `code`, the same value) and the status, never on `detail`. Every error answer has the shape `{ error, code, detail, params, requestId }`.',
    '',
    table(
      ['status', 'code', 'meaning'],
      Object.entries(REQUEST_ERRORS).map(([name, { status, detail }]) => [status, code(name), detail]),
    ),
    '',
    '## Job failures',
    '',
    'On the record of a job with status `failed`, in `error`. None of them is charged.',
    '',
    table(
      ['code', 'meaning'],
      Object.entries(JOB_FAILURES).map(([name, detail]) => [code(name), detail]),
    ),
    '',
  ].join('\n')

const configurationPage = (): string =>
  [
    NOTE,
    '# Configuration',
    '',
    'All settings are environment variables. `npm run quarry -- config` prints them with the values in force.',
    '',
    table(
      ['variable', 'default', 'meaning'],
      describeConfig({}).map(({ setting, default: fallback, detail }) => [
        code(setting),
        fallback === '' ? '' : code(fallback),
        detail,
      ]),
    ),
    '',
    '`QUARRY_SETUP` is read by the start scripts only: `skip` leaves out all set-up, `npm` does the npm packages and leaves the Debian packages alone.',
    '',
  ].join('\n')

const plansPage = (): string => {
  const plans = Object.values(DEFAULT_PLANS)
  const line = (name: string, pick: (plan: (typeof plans)[number]) => unknown) => [
    name,
    ...plans.map((plan) => pick(plan) ?? 'none'),
  ]
  return [
    NOTE,
    '# Plans',
    '',
    'Defaults; `QUARRY_PLANS` changes them.',
    '',
    table(
      ['', ...plans.map((plan) => plan.id)],
      [
        line('largest file, MB', (plan) => plan.maxFileSizeMb),
        line('longest recording, minutes', (plan) => plan.maxDurationMinutes),
        line('jobs waiting', (plan) => plan.maxQueuedJobs),
        line('jobs at once', (plan) => plan.maxParallelJobs),
        line('credits a day', (plan) => plan.dailyCredits),
      ],
    ),
    '',
    'Pro accounts use the API and spend their credits. Free and guest accounts use the website; each day their plan bucket is filled up to the daily limit, which resets at midnight UTC.',
    '',
  ].join('\n')
}

/** Pages that differ from what the code says. */
export const findStalePages = async (root: URL): Promise<string[]> => {
  const stale: string[] = []
  for (const [path, content] of await generatePages()) {
    const current = await readFile(new URL(path, root), 'utf8').catch(() => '')
    if (current !== content) stale.push(path)
  }
  return stale
}

if (process.argv[1]?.endsWith('generate.ts')) {
  for (const [path, content] of await generatePages()) await writeFile(new URL(`../${path}`, import.meta.url), content)
}
