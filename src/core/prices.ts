import { z } from 'zod'
import type { Format } from './catalog.ts'
import { PRICE_METRICS, type PriceMetric } from './metrics.ts'

const metric = z.enum(Object.keys(PRICE_METRICS) as [PriceMetric, ...PriceMetric[]])

/** An operator's changes: base terms by family, credits by add-on capability and mode ("" where it has none). */
export const priceOverridesSchema = z
  .object({
    families: z.record(
      z.string(),
      z
        .array(
          z.object({ metric, per: z.number().positive(), credits: z.number().int().positive().optional() }).strict(),
        )
        .min(1),
    ),
    addOns: z.record(z.string(), z.record(z.string(), z.number().int().nonnegative())),
  })
  .partial()
  .strict()
export type PriceOverrides = z.infer<typeof priceOverridesSchema>

/** The declarations with the operator's prices in place of their own. */
export const applyPrices = (formats: readonly Format[], overrides: PriceOverrides): Format[] =>
  formats.map((format) => ({
    ...format,
    price: overrides.families?.[format.name] ?? format.price,
    capabilities: format.capabilities.map((capability) => {
      const credits = overrides.addOns?.[capability.id]
      if (!credits || !capability.addOns) return capability
      return {
        ...capability,
        addOns: capability.addOns.map((addOn) => ({
          ...addOn,
          credits: credits[addOn.when?.value ?? ''] ?? addOn.credits ?? 1,
        })),
      }
    }),
    ...(format.transcription
      ? {
          transcription: {
            ...format.transcription,
            modes: format.transcription.modes.map((mode) => ({
              ...mode,
              creditsPerMinute: overrides.addOns?.['media.transcript']?.[mode.id] ?? mode.creditsPerMinute,
            })),
          },
        }
      : {}),
  }))
