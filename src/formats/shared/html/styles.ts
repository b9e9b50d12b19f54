import type { Style } from './flow.ts'
import type { HtmlElement } from './tree.ts'

const BY_NAME: Readonly<Record<string, Style>> = {
  b: { bold: true },
  strong: { bold: true },
  i: { italic: true },
  em: { italic: true },
  emphasis: { italic: true },
  cite: { italic: true },
  dfn: { italic: true },
  var: { italic: true },
  u: { underline: true },
  ins: { underline: true },
  s: { strike: true },
  strike: { strike: true },
  strikethrough: { strike: true },
  del: { strike: true },
  code: { code: true },
  kbd: { code: true },
  samp: { code: true },
  tt: { code: true },
  sup: { script: 'super' },
  sub: { script: 'sub' },
}

/** The style of what is in an element: by its name, and by the declarations that word processors and mail programs write. */
export const styleInside = ({ name, attributes }: HtmlElement, around: Style): Style => {
  const own = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined
  const declared = attributes.style ? readDeclarations(attributes.style) : undefined
  const direction = attributes.dir?.toLowerCase()
  if (!own && !declared && !direction) return around
  const style: Style = { ...around, ...own, ...declared }
  if (direction === 'rtl') style.direction = 'rtl'
  if (direction === 'ltr') delete style.direction
  return style
}

const readDeclarations = (css: string): Style => {
  const style: Style = {}
  const weight = /font-weight\s*:\s*(\w+)/i.exec(css)?.[1]?.toLowerCase()
  if (weight) style.bold = weight === 'bold' || weight === 'bolder' || Number(weight) >= 600
  const slant = /font-style\s*:\s*(\w+)/i.exec(css)?.[1]?.toLowerCase()
  if (slant) style.italic = slant === 'italic' || slant === 'oblique'
  if (/text-decoration[\w-]*\s*:[^;]*line-through/i.test(css)) style.strike = true
  if (/vertical-align\s*:\s*super/i.test(css)) style.script = 'super'
  if (/vertical-align\s*:\s*sub\b/i.test(css)) style.script = 'sub'
  return dropFalse(style)
}

const dropFalse = (style: Style): Style => {
  const declared = style as Record<string, unknown>
  for (const key of Object.keys(declared)) if (declared[key] === false) declared[key] = undefined
  return style
}

const NEVER_SHOWN = new Set(
  'script style template noscript head title meta link base object embed applet iframe frame frameset noframes map area canvas audio video source track param datalist svg'.split(
    ' ',
  ),
)

/** Whether a browser would show nothing of an element. */
export const isHidden = ({ name, attributes }: HtmlElement): boolean =>
  NEVER_SHOWN.has(name) ||
  attributes.hidden !== undefined ||
  (attributes.style !== undefined && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.style)) ||
  (name === 'input' && attributes.type === 'hidden')
