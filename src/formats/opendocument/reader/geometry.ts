import type { Box } from '../../shared/document/model.ts'
import type { Attributes } from '../../shared/xml/events.ts'

const POINTS: Readonly<Record<string, number>> = {
  pt: 1,
  in: 72,
  cm: 72 / 2.54,
  mm: 7.2 / 2.54,
  pc: 12,
  px: 0.75,
}

/** A length such as `2.5cm` in points. */
export const toPoints = (length: string | undefined): number | undefined => {
  const [, number = '', unit = ''] = /^\s*(-?[\d.]+)\s*([a-z]+)\s*$/i.exec(length ?? '') ?? []
  const points = Number(number) * (POINTS[unit.toLowerCase()] ?? Number.NaN)
  return number !== '' && Number.isFinite(points) ? Math.round(points * 100) / 100 : undefined
}

/** Where a shape stands on its page; undefined where it does not say. */
export const boxOf = (attributes: Attributes): Box | undefined => {
  const moved = /translate\s*\(\s*([^\s,)]+)[\s,]*([^\s,)]*)\s*\)/.exec(attributes['draw:transform'] ?? '')
  const x = toPoints(attributes['svg:x'] ?? attributes['svg:x1'] ?? moved?.[1])
  const y = toPoints(attributes['svg:y'] ?? attributes['svg:y1'] ?? moved?.[2])
  if (x === undefined || y === undefined) return undefined
  const width = toPoints(attributes['svg:width']) ?? 0
  const height = toPoints(attributes['svg:height']) ?? 0
  return { x, y, width, height }
}
