import { describe, expect, it } from 'vitest'
import { type FrameWish, planFrames, withoutSeeking } from './frame-plan.ts'

const wish = (given: Partial<FrameWish>): FrameWish => ({
  ...{ mode: 'every-n-seconds', intervalSeconds: 1, intervalFrames: 30, maxFrames: 500 },
  ...given,
})

describe('planFrames', () => {
  it('decodes everything for frames that are close together', () => {
    expect(planFrames(wish({}), 60).way).toBe('scan')
    expect(planFrames(wish({ mode: 'evenly-spaced', maxFrames: 100 }), 60).way).toBe('scan')
    expect(planFrames(wish({ mode: 'scene-change' }), 60).way).toBe('scan')
  })

  it('jumps to frames that are far apart', () => {
    expect(planFrames(wish({ intervalSeconds: 10 }), 35)).toMatchObject({ way: 'seek', targets: [0, 10, 20, 30] })
    const even = planFrames(wish({ mode: 'evenly-spaced', maxFrames: 3 }), 60)
    expect(even).toMatchObject({ way: 'seek', targets: [10, 30, 50], spacingSeconds: 20 })
  })

  it('takes no place at the very end of the film', () => {
    expect(planFrames(wish({ intervalSeconds: 10 }), 30)).toMatchObject({ targets: [0, 10, 20] })
  })

  it('never plans for more frames than wished, however long the film says it is', () => {
    for (const mode of ['every-n-seconds', 'evenly-spaced'] as const) {
      const plan = planFrames(wish({ mode, intervalSeconds: 5, maxFrames: 7 }), 1e9)
      expect(plan.way === 'seek' && plan.targets.length).toBe(7)
    }
  })

  it('can be turned into a plan without jumps', () => {
    expect(withoutSeeking(planFrames(wish({ intervalSeconds: 10 }), 35))).toMatchObject({ way: 'scan' })
  })
})
