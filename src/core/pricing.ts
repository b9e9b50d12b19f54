import { type AddOn, type Format, holdsFor, jobKind, type PriceTerm } from './catalog.ts'
import { RequestError } from './errors.ts'
import { type Metrics, PRICE_METRICS, type PriceMetric } from './metrics.ts'
import type { JobPlan } from './options.ts'
import { TRANSCRIPT_CAPABILITY } from './transcription.ts'

export type LineItem = {
  kind: 'base' | 'capability'
  credits: number
  capabilityId?: string
  mode?: string
  /** What is counted, how many there are, and how many one step of the price covers. */
  unit: string
  quantity: number
  per: number
}
export type Quote = { job: string; category: string; quotedCredits: number; lineItems: LineItem[] }

const MINIMUM_CREDITS = 1

/**
 * The price of a job: the greatest base term, at least one credit, plus every priced add-on that was chosen.
 * Refuses to answer when a metric is missing rather than return a lower, partial figure.
 */
export const quote = (format: Format, extension: string, plan: JobPlan, metrics: Metrics): Quote => {
  const addOns = chosenAddOns(format, extension, plan)
  const base = plan.workflow === 'extract' ? format.price.filter((term) => holdsFor(term, extension)) : []
  requireMetrics(format, extension, [...base, ...addOns.map(({ addOn }) => addOn)], metrics)
  const items: LineItem[] = base.length > 0 ? [baseItem(base, metrics)] : []
  for (const { capabilityId, addOn } of addOns) {
    items.push({
      kind: 'capability',
      credits: termCredits(addOn, metrics),
      capabilityId,
      ...(addOn.when ? { mode: addOn.when.value } : {}),
      ...counted(addOn, metrics),
    })
  }
  const quotedCredits = Math.max(
    MINIMUM_CREDITS,
    items.reduce((sum, item) => sum + item.credits, 0),
  )
  return { job: jobKind(extension), category: format.category, quotedCredits, lineItems: items }
}

const baseItem = (terms: readonly PriceTerm[], metrics: Metrics): LineItem => {
  const dearest = terms.reduce((best, term) => (termCredits(term, metrics) > termCredits(best, metrics) ? term : best))
  return {
    kind: 'base',
    credits: Math.max(MINIMUM_CREDITS, termCredits(dearest, metrics)),
    ...counted(dearest, metrics),
  }
}

const amount = (metric: PriceMetric, metrics: Metrics): number => PRICE_METRICS[metric].read(metrics) ?? 0

const termCredits = (term: PriceTerm, metrics: Metrics): number =>
  Math.ceil(amount(term.metric, metrics) / term.per) * (term.credits ?? 1)

const counted = (term: PriceTerm, metrics: Metrics) => ({
  unit: PRICE_METRICS[term.metric].unit,
  quantity: Math.round(amount(term.metric, metrics) * 1000) / 1000,
  per: term.per,
})

/** Rates of a transcript-only job: those of the format's `transcription`, per started minute. */
const transcribeAddOns = (format: Format): AddOn[] =>
  (format.transcription?.modes ?? []).map((mode) => ({
    metric: 'minutes',
    per: 1,
    credits: mode.creditsPerMinute,
    when: { option: 'mode', value: mode.id },
  }))

const chosenAddOns = (format: Format, extension: string, plan: JobPlan): { capabilityId: string; addOn: AddOn }[] => {
  if (plan.transcription) {
    const { mode } = plan.transcription
    return transcribeAddOns(format)
      .filter((addOn) => addOn.when?.value === mode)
      .map((addOn) => ({ capabilityId: TRANSCRIPT_CAPABILITY, addOn }))
  }
  const paid = new Set<string>()
  return plan.capabilities.flatMap(({ id, values }) => {
    const capability = format.capabilities.find((candidate) => candidate.id === id)
    return (capability?.addOns ?? [])
      .filter((addOn) => holdsFor(addOn, extension) && (!addOn.when || values[addOn.when.option] === addOn.when.value))
      .filter(({ once }) => once === undefined || (!paid.has(once) && paid.add(once)))
      .map((addOn) => ({ capabilityId: id, addOn }))
  })
}

const requireMetrics = (format: Format, extension: string, terms: readonly PriceTerm[], metrics: Metrics): void => {
  const wanted = [...new Set(terms.map((term) => term.metric))]
  const missing = wanted.filter((metric) => PRICE_METRICS[metric].read(metrics) === undefined)
  if (missing.length === 0) return
  const facts = missing.map((metric) => PRICE_METRICS[metric])
  const job = jobKind(extension)
  throw new RequestError(
    'estimate.exact_metrics_required',
    {
      format: extension,
      job,
      missingMetrics: [...new Set(facts.map((fact) => fact.missingAs))],
      documentUnitKind: facts.find((fact) => fact.documentUnitKind)?.documentUnitKind ?? null,
      fields: [...new Set(facts.flatMap((fact) => fact.fields))],
    },
    {
      detail: `${format.name} files are priced on ${missing.join(' and ')}: send ${facts.map((f) => f.fields.join(' or ')).join(', and ')}.`,
    },
  )
}
