import type { Catalog, Engine } from '../core/catalog.ts'
import { redactPlan } from '../core/options.ts'
import { VERSION } from '../core/version.ts'
import type { Job, JobWarning } from './records.ts'
import type { HashedArtifact } from './result-zip.ts'

/** `manifest.json`: what came out, from where, by what. It holds no time and no id, so that equal jobs are equal. */
export const makeManifest = (
  job: Job,
  catalog: Catalog,
  {
    artifacts,
    engines,
    warnings,
  }: { artifacts: readonly HashedArtifact[]; engines: readonly Engine[]; warnings: readonly JobWarning[] },
): string => {
  const plan = redactPlan(catalog.byExtension.get(job.format), job.plan)
  const manifest = {
    manifestVersion: 1,
    service: { name: 'quarry', version: VERSION },
    source: {
      fileName: job.sourceName,
      bytes: job.metrics.bytes,
      sha256: job.sourceSha256,
      format: job.format,
      category: job.category,
    },
    options: {
      workflow: plan.workflow,
      selectedCapabilities: plan.capabilities.map(({ id }) => id),
      capabilityOptions: Object.fromEntries(plan.capabilities.map(({ id, values }) => [id, values])),
    },
    metrics: job.metrics,
    credits: { charged: job.quotedCredits },
    engines: [...engines].sort((a, b) => (a.name < b.name ? -1 : 1)),
    artifacts: artifacts.map(({ path, bytes, sha256, mediaType, capabilityId, provenance }) => ({
      path,
      bytes,
      sha256,
      mediaType,
      capabilityId,
      provenance: provenance ?? {},
    })),
    warnings,
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}
