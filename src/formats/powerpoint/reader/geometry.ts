import type { Box } from '../../shared/document/model.ts'
import { childOf, type Element } from '../../shared/xml/tree.ts'

const EMU_PER_POINT = 12_700

/** How the coordinates inside a group become those of the slide. */
export type Transform = (box: Box) => Box
export const identity: Transform = (box) => box

/** The rectangle of `a:xfrm`, in points. */
export const boxOf = (transform: Element | undefined): Box | undefined => readBox(transform, 'a:off', 'a:ext')

const readBox = (transform: Element | undefined, offset: string, extent: string): Box | undefined => {
  const { x, y } = childOf(transform, offset)?.attributes ?? {}
  const { cx, cy } = childOf(transform, extent)?.attributes ?? {}
  const [left, top, width, height] = [x, y, cx, cy].map((value) => Number(value ?? Number.NaN) / EMU_PER_POINT)
  const box = { x: left ?? 0, y: top ?? 0, width: width ?? 0, height: height ?? 0 }
  return Object.values(box).every(Number.isFinite) ? box : undefined
}

/** What the transform of a group does to what is in it. */
export const enterGroup = (transform: Element | undefined, outer: Transform): Transform => {
  const shown = boxOf(transform)
  const inside = readBox(transform, 'a:chOff', 'a:chExt')
  if (!shown || !inside) return outer
  const scaleX = inside.width > 0 ? shown.width / inside.width : 1
  const scaleY = inside.height > 0 ? shown.height / inside.height : 1
  return ({ x, y, width, height }) =>
    outer({
      x: shown.x + (x - inside.x) * scaleX,
      y: shown.y + (y - inside.y) * scaleY,
      width: width * scaleX,
      height: height * scaleY,
    })
}

/** A size in EMU as points. */
export const toPoints = (emu: string | undefined): number | undefined => {
  const points = Number(emu ?? Number.NaN) / EMU_PER_POINT
  return Number.isFinite(points) && points > 0 ? points : undefined
}
