import type { Guide } from '../../build/guides.ts'

/** The guides of the repository by their place on the site; each is loaded when it is wanted. */
export const GUIDES = {
  '/docs': () => import('../../../docs/guides/quick-start.md'),
  '/docs/sending-files': () => import('../../../docs/guides/sending-files.md'),
  '/docs/results': () => import('../../../docs/guides/results.md'),
  '/docs/webhooks': () => import('../../../docs/guides/webhooks.md'),
  '/docs/documents': () => import('../../../docs/documents.md'),
  '/docs/transcripts': () => import('../../../docs/transcripts.md'),
  '/docs/sdk': () => import('../../../docs/guides/sdk.md'),
  '/docs/prices': () => import('../../../docs/guides/prices.md'),
  '/docs/errors': () => import('../../../docs/guides/errors.md'),
  '/docs/self-hosting': () => import('../../../docs/operations.md'),
} satisfies Record<string, () => Promise<{ default: Guide }>>
export type GuidePath = keyof typeof GUIDES

export const loadGuides = (): Promise<{ path: string; guide: Guide }[]> =>
  Promise.all(Object.entries(GUIDES).map(async ([path, load]) => ({ path, guide: (await load()).default })))
