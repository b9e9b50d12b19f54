import type { Box } from '../../shared/document/model.ts'
import { childOf, childrenOf, descend, type Element } from '../../shared/xml/tree.ts'
import { type Bullet, bulletOfLevel } from './bullets.ts'
import { boxOf } from './geometry.ts'

/** Which place of the layout a shape fills. */
export type Placeholder = { type: string; index: string | undefined }

/** A layout or a master: the shapes that slides fill, and the styles of their text. */
export type Template = {
  /** Kind of layout: `title`, `secHead`, `obj`, … */
  type: string | undefined
  name: string | undefined
  shapes: readonly { placeholder: Placeholder; box: Box | undefined; listStyle: Element | undefined }[]
  /** Styles of titles, bodies and all else; masters have them. */
  titleStyle: Element | undefined
  bodyStyle: Element | undefined
  /** The template that this one is made from. */
  parent: Template | undefined
}

/** The placeholder that a shape fills; undefined for a shape of its own. */
export const placeholderOf = (shape: Element): Placeholder | undefined => {
  const properties = childrenOf(shape).find(({ name }) => /^p:nv\w+Pr$/.test(name))
  const found = descend(properties, 'p:nvPr', 'p:ph')
  return found && { type: found.attributes.type ?? 'obj', index: found.attributes.idx }
}

/** Reads a layout or master. */
export const toTemplate = (tree: Element | undefined, parent: Template | undefined): Template => {
  const styles = childOf(tree, 'p:txStyles')
  return {
    type: tree?.attributes.type,
    name: childOf(tree, 'p:cSld')?.attributes.name,
    shapes: childrenOf(descend(tree, 'p:cSld', 'p:spTree')).flatMap((shape) => {
      const placeholder = placeholderOf(shape)
      if (!placeholder) return []
      const box = boxOf(descend(shape, 'p:spPr', 'a:xfrm'))
      return [{ placeholder, box, listStyle: descend(shape, 'p:txBody', 'a:lstStyle') }]
    }),
    titleStyle: childOf(styles, 'p:titleStyle'),
    bodyStyle: childOf(styles, 'p:bodyStyle'),
    parent,
  }
}

export const isTitle = ({ type }: Placeholder): boolean => type === 'title' || type === 'ctrTitle'
/** Text that belongs to the slide and not to what it says. */
export const furnitureRole = ({ type }: Placeholder): 'header' | 'footer' | 'page-number' | undefined =>
  type === 'sldNum' ? 'page-number' : type === 'ftr' || type === 'dt' ? 'footer' : type === 'hdr' ? 'header' : undefined

const BODY_TYPES = new Set(['body', 'obj', 'subTitle', 'tbl', 'chart', 'clipArt', 'dgm', 'media', 'pic'])

/** A body of a master stands for all that is no title. */
const isSameKind = (a: Placeholder, b: Placeholder): boolean =>
  a.type === b.type || (isTitle(a) && isTitle(b)) || (BODY_TYPES.has(a.type) && b.type === 'body')

const findShape = (template: Template, placeholder: Placeholder) =>
  template.shapes.find(
    (shape) => shape.placeholder.index !== undefined && shape.placeholder.index === placeholder.index,
  ) ?? template.shapes.find((shape) => isSameKind(placeholder, shape.placeholder))

/** Where a placeholder lies whose slide does not say. */
export const inheritedBox = (template: Template | undefined, placeholder: Placeholder): Box | undefined =>
  template && (findShape(template, placeholder)?.box ?? inheritedBox(template.parent, placeholder))

/** The bullet of a level that the slide does not set itself. */
export const inheritedBullet = (
  template: Template | undefined,
  placeholder: Placeholder,
  level: number,
): Bullet | undefined => {
  for (let at = template; at; at = at.parent) {
    const own = bulletOfLevel(findShape(at, placeholder)?.listStyle, level)
    if (own) return own
    const style = isTitle(placeholder) ? at.titleStyle : BODY_TYPES.has(placeholder.type) ? at.bodyStyle : undefined
    const styled = bulletOfLevel(style, level)
    if (styled) return styled
  }
  return undefined
}
