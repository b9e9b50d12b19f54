import { describe, expect, it } from 'vitest'
import type { PdfObjects } from './objects.ts'
import { boxOf, cutToPage, readPageSpace } from './page-space.ts'

const objects = {
  resolve: (value) => value ?? null,
  array: (value) => (Array.isArray(value) ? value : []),
} as Pick<PdfObjects, 'resolve' | 'array'> as PdfObjects
const CROPPED = { '/MediaBox': [0, 0, 300, 400], '/CropBox': [100, 200, 150, 500] }

describe('readPageSpace', () => {
  // A mark at the lower left corner of the crop box, 10 wide and 20 high.
  it.each([
    [0, { width: 50, height: 200 }, { x: 0, y: 180, width: 10, height: 20 }],
    [90, { width: 200, height: 50 }, { x: 0, y: 0, width: 20, height: 10 }],
    [180, { width: 50, height: 200 }, { x: 40, y: 0, width: 10, height: 20 }],
    [-90, { width: 200, height: 50 }, { x: 180, y: 40, width: 20, height: 10 }],
  ])('turns a page by %i degrees', (rotate, size, box) => {
    const { width, height, toShown } = readPageSpace(objects, { ...CROPPED, '/Rotate': rotate })
    expect({ width, height }).toEqual(size)
    expect(boxOf([100, 200, 110, 220], toShown)).toEqual(box)
  })

  it('counts in units of the page', () => {
    const { width, height, toShown } = readPageSpace(objects, { '/MediaBox': [0, 0, 10, 10], '/UserUnit': 2 })
    expect([width, height, boxOf([0, 0, 5, 5], toShown)]).toEqual([20, 20, { x: 0, y: 10, width: 10, height: 10 }])
  })

  it.each([[[0, 0, 0, 0]], ['wide'], [[1, 2, 'x', 4]]])('takes a page of size %j for a letter', (box) => {
    expect(readPageSpace(objects, { '/MediaBox': box })).toMatchObject({ width: 612, height: 792 })
  })
})

describe('cutToPage', () => {
  const page = { width: 100, height: 50, toShown: [1, 0, 0, 1, 0, 0] as const }
  it('keeps what lies on the page', () => {
    expect(cutToPage({ x: -10, y: 40, width: 30, height: 30 }, page)).toEqual({ x: 0, y: 40, width: 20, height: 10 })
    expect(cutToPage({ x: 100, y: 0, width: 30, height: 30 }, page)).toBeUndefined()
  })
})
