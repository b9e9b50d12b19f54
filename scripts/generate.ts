import { readFile, writeFile } from 'node:fs/promises'
import { describeConfig } from '../src/config.ts'
import type { Catalog, Format, PriceTerm } from '../src/core/catalog.ts'
import { JOB_FAILURES, REQUEST_ERRORS, WEB_ERRORS } from '../src/core/errors.ts'
import { PRICE_METRICS } from '../src/core/metrics.ts'
import { DEFAULT_PLANS } from '../src/core/plans.ts'
import { loadCatalog } from '../src/formats/index.ts'
import { generateClientTypes } from './generate-client.ts'

const NOTE = '<!-- Written by `npm run generate` from the code. Change the code, not this page. -->\n'

/** What is written from the code, as the code is now: the pages of `docs/reference/` and the types of the client. */
export const generatePages = async (): Promise<Map<string, string>> => {
  const catalog = await loadCatalog()
  return new Map([
    ['docs/reference/formats.md', formatsPage(catalog)],
    ['docs/reference/errors.md', errorsPage()],
    ['docs/reference/configuration.md', configurationPage()],
    ['docs/reference/plans.md', plansPage()],
    ['packages/client/src/generated.ts', generateClientTypes(catalog)],
  ])
}

const row = (cells: readonly unknown[]): string =>
  `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
const code = (text: unknown): string => `\`${String(text)}\``

const formatsPage = (catalog: Catalog): string =>
  `${NOTE}\n# Formats\n\nEvery family the service takes, its capabilities, options and price. The same facts are served by \`GET /extract/extractors\` and \`GET /extract/options/{format}\`.\n\n${catalog.formats.map(formatSection).join('\n\n')}\n`

const rate = ({ metric, per, credits, extensions }: PriceTerm): string =>
  `${credits ?? 1} for each started ${per === 1 ? '' : `${per} `}${PRICE_METRICS[metric].unit}${per === 1 ? '' : 's'}${extensions ? ` (${extensions.join(', ')})` : ''}`

const formatSection = (format: Format): string => {
  const terms = format.price.map(rate)
  const addOns = format.capabilities.flatMap(({ id, addOns: own = [] }) =>
    own.map((addOn) => {
      const choice = addOn.when ? `${code(id)} with ${code(`${addOn.when.option}: ${addOn.when.value}`)}` : code(id)
      return `- ${choice}: ${rate(addOn)}${addOn.once ? `; ${addOn.once} is paid once for a job` : ''}`
    }),
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
    ...(addOns.length > 0 ? ['Add-ons:', '', ...addOns, ''] : []),
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
    errorTable((name) => !Object.hasOwn(WEB_ERRORS, name)),
    '',
    '## Of the website alone',
    '',
    'Only the routes under `/web`, which the pages call with the session of the visitor, answer with these.',
    '',
    errorTable((name) => Object.hasOwn(WEB_ERRORS, name)),
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

const errorTable = (belongs: (name: string) => boolean): string =>
  table(
    ['status', 'code', 'meaning'],
    Object.entries(REQUEST_ERRORS)
      .filter(([name]) => belongs(name))
      .map(([name, { status, detail }]) => [status, code(name), detail]),
  )

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
