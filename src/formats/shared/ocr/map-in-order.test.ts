import { expect, test } from 'vitest'
import { mapInOrder } from './map-in-order.ts'

test('results keep the order, and no more than allowed run at once', async () => {
  let running = 0
  let most = 0
  const work = async (value: number) => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, value % 2 === 0 ? 8 : 1))
    running--
    return value * 10
  }
  expect(await Array.fromAsync(mapInOrder([0, 1, 2, 3, 4], 3, work))).toEqual([0, 10, 20, 30, 40])
  expect(most).toBe(3)
})

test('an error comes out in its turn, after what was before it', async () => {
  const seen: number[] = []
  const read = async () => {
    for await (const value of mapInOrder([1, 2, 3], 2, async (given) => {
      if (given === 2) throw new Error('broken')
      return given
    })) {
      seen.push(value)
    }
  }
  await expect(read()).rejects.toThrow('broken')
  expect(seen).toEqual([1])
})
