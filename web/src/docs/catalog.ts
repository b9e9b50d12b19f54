import type { z } from 'zod'
import type { extractorsSchema, optionsDescriptorSchema, quoteSchema, schemaSchema } from '../../../src/http/schemas.ts'
import { formatCredits, formatNumber } from '../design/format.ts'

export type Extractor = z.infer<typeof extractorsSchema>['extractors'][number]
export type Term = Extractor['costing']['terms'][number]
export type AddOn = Extractor['costing']['addOns'][number]
export type Options = z.infer<typeof optionsDescriptorSchema>
export type Capability = Options['capabilities'][number]
export type Option = Capability['options'][number]
export type Quote = z.infer<typeof quoteSchema>
export type LineItem = Quote['lineItems'][number]
export type Extractors = z.infer<typeof extractorsSchema>
export type Schema = z.infer<typeof schemaSchema>

/** Where the pages of one extension lie. */
export const formatPath = (extension: string): string => `/docs/formats/${encodeURIComponent(extension)}`

const holdsFor = (extension: string) => (priced: { extensions?: readonly string[] | undefined }) =>
  priced.extensions === undefined || priced.extensions.includes(extension)

/** What one extension is priced on, of all that its family is. */
export const costingOf = ({ costing }: Extractor, extension: string) => ({
  terms: costing.terms.filter(holdsFor(extension)),
  addOns: costing.addOns.filter(holdsFor(extension)),
})

/** `5 MB`, `1 slide`, `12 slides`. */
export const countWords = (count: number, unit: string): string =>
  unit === 'megabyte' ? `${formatNumber(count)} MB` : `${formatNumber(count)} ${unit}${count === 1 ? '' : 's'}`

/** `1 credit for each started 5 MB`. */
export const rateWords = ({
  per,
  unit,
  credits = 1,
}: {
  per: number
  unit: string
  credits?: number | undefined
}): string => {
  if (unit === 'file') return `${formatCredits(credits)} for the file`
  const step = per === 1 ? countWords(1, unit).replace('1 ', '') : countWords(per, unit)
  return `${formatCredits(credits)} for each started ${step}`
}

/** The base of a price, in a sentence. */
export const baseWords = (terms: readonly Term[], minimum: number): string => {
  const rates = terms.map((term) => rateWords(term))
  return `${rates.length > 1 ? 'The greatest of: ' : ''}${rates.join('; ')}. At least ${formatCredits(minimum)}.`
}

/** Tells an add-on from every other of its format. */
export const addOnKey = ({ capabilityId, mode }: Pick<AddOn, 'capabilityId' | 'mode'>): string =>
  `${capabilityId} ${mode ?? ''}`

/** How an add-on is chosen: by its capability alone, or by a value of one of its options. */
export const addOnWords = ({ capabilityId, mode }: Pick<AddOn, 'capabilityId' | 'mode'>, options: Options): string => {
  if (mode === null) return capabilityId
  const capability = options.capabilities.find(({ id }) => id === capabilityId)
  return `${capabilityId} (${findModeOption(capability, mode)?.id ?? 'mode'}: ${mode})`
}

/** Add-ons of which a job pays only one stand together. */
export const groupAddOns = (addOns: readonly AddOn[]): { name: string; addOns: AddOn[] }[] =>
  [...Map.groupBy(addOns, ({ once, capabilityId }) => once ?? capabilityId)].map(([name, group]) => ({
    name,
    addOns: group,
  }))

/** The option whose value makes an add-on due. */
export const findModeOption = (capability: Capability | undefined, mode: string): Option | undefined =>
  capability?.options.find(({ allowedValues }) => allowedValues?.includes(mode))

/** What values an option takes. */
export const allowedWords = ({ allowedValues, min, max, maxLength, type }: Option): string => {
  if (type === 'boolean') return 'true or false'
  if (allowedValues) return allowedValues.join(', ')
  if (min !== undefined && max !== undefined) return `${formatNumber(min)} to ${formatNumber(max)}`
  return maxLength === undefined ? '' : `up to ${formatNumber(maxLength)} characters`
}
