import { describe, expect, it } from 'vitest'
import { parseTree } from '../../xml/parse-tree.ts'
import type { Element } from '../../xml/tree.ts'
import { OOXML_PREFIXES } from '../namespaces.ts'
import { toLatex } from './to-latex.ts'
import { toLinear } from './to-linear.ts'

const parse = async (content: string): Promise<Element> => {
  const math = `<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">${content}</m:oMath>`
  const root = await parseTree(Buffer.from(math), OOXML_PREFIXES, { depth: 100, elements: 1000 })
  if (!root) throw new Error('nothing read')
  return root
}

const r = (text: string, properties = '') =>
  `<m:r>${properties === '' ? '' : `<m:rPr>${properties}</m:rPr>`}<m:t>${text}</m:t></m:r>`
const arg = (name: string, content: string) => `<m:${name}>${content}</m:${name}>`
const e = (content: string) => arg('e', content)
const make = (name: string, properties: string, ...parts: string[]) =>
  `<m:${name}><m:${name}Pr>${properties}</m:${name}Pr>${parts.join('')}</m:${name}>`
const val = (name: string, value: string) => `<m:${name} m:val="${value}"/>`

describe('toLatex', () => {
  it.each<[string, string, string]>([
    ['Greek and operators', r('α+2π≤Ω'), '\\alpha+2\\pi\\leq\\Omega'],
    ['a command before a letter', r('πr'), '\\pi r'],
    ['a fraction', make('f', '', arg('num', r('a')), arg('den', r('b'))), '\\frac{a}{b}'],
    ['a fraction on a line', make('f', val('type', 'lin'), arg('num', r('a+1')), arg('den', r('b'))), '{a+1}/b'],
    [
      'a power of a fraction',
      make('sSup', '', e(make('f', '', arg('num', r('a')), arg('den', r('b')))), arg('sup', r('2'))),
      '{\\frac{a}{b}}^{2}',
    ],
    ['both scripts', make('sSubSup', '', e(r('N')), arg('sub', r('s')), arg('sup', r('H'))), 'N_{s}^{H}'],
    ['scripts in front', make('sPre', '', arg('sub', r('6')), arg('sup', r('14')), e(r('C'))), '{}_{6}^{14}C'],
    ['a square root', make('rad', val('degHide', '1'), '<m:deg/>', e(r('x'))), '\\sqrt{x}'],
    ['a cube root', make('rad', '', arg('deg', r('3')), e(r('x'))), '\\sqrt[3]{x}'],
    [
      'a sum',
      make('nary', val('chr', '∑') + val('limLoc', 'undOvr'), arg('sub', r('k=0')), arg('sup', r('n')), e(r('k'))),
      '\\sum_{k=0}^{n}k',
    ],
    [
      'an integral without limits',
      make('nary', val('subHide', '1') + val('supHide', '1'), '<m:sub/>', '<m:sup/>', e(r('xdx'))),
      '\\int xdx',
    ],
    [
      'limits above and below an integral',
      make('nary', val('limLoc', 'undOvr'), arg('sub', r('0')), arg('sup', r('1')), e(r('x'))),
      '\\int\\limits_{0}^{1}x',
    ],
    [
      'brackets',
      make('d', val('begChr', '[') + val('endChr', ')'), e(r('0')), e(r('1'))),
      '\\left[0\\middle|1\\right)',
    ],
    [
      'a brace on one side',
      make('d', val('begChr', '{') + val('endChr', ''), e(make('eqArr', '', e(r('a&amp;=b')), e(r('c&amp;=d'))))),
      '\\begin{cases}a&=b \\\\ c&=d\\end{cases}',
    ],
    [
      'a binomial',
      make('d', '', e(make('f', val('type', 'noBar'), arg('num', r('n')), arg('den', r('k'))))),
      '\\binom{n}{k}',
    ],
    [
      'a matrix',
      make(
        'd',
        val('begChr', '[') + val('endChr', ']'),
        e(`<m:m><m:mr>${e(r('1'))}${e(r('2'))}</m:mr><m:mr>${e(r('3'))}${e(r('4'))}</m:mr></m:m>`),
      ),
      '\\begin{bmatrix}1 & 2 \\\\ 3 & 4\\end{bmatrix}',
    ],
    ['equations below each other', make('eqArr', '', e(r('a')), e(r('b'))), '\\begin{aligned}a \\\\ b\\end{aligned}'],
    [
      'accents, narrow and wide',
      make('acc', val('chr', '\u0303'), e(r('x'))) + make('acc', '', e(r('xy'))),
      '\\tilde{x}\\widehat{xy}',
    ],
    ['a bar', make('bar', val('pos', 'top'), e(r('x'))), '\\overline{x}'],
    ['a function', make('func', '', arg('fName', r('sin', val('sty', 'p'))), e(r('x'))), '\\sin{x}'],
    [
      'a function that LaTeX does not know',
      make('func', '', arg('fName', r('sinc', val('sty', 'p'))), e(make('d', '', e(r('x'))))),
      '\\operatorname{sinc}\\left(x\\right)',
    ],
    [
      'a limit',
      make('func', '', arg('fName', make('limLow', '', e(r('lim', val('sty', 'p'))), arg('lim', r('n→∞')))), e(r('n'))),
      '\\lim_{n\\rightarrow\\infty}{n}',
    ],
    [
      'a brace with a note',
      make('limUpp', '', e(make('groupChr', val('chr', '⏞') + val('pos', 'top'), e(r('a+b')))), arg('lim', r('two'))),
      '\\overbrace{a+b}^{two}',
    ],
    ['a box', make('borderBox', '', e(r('x'))), '\\boxed{x}'],
    ['plain text with signs of LaTeX', r('50% of_it', '<m:nor/>'), '\\text{50\\% of\\_it}'],
    [
      'upright and bold',
      r('kg', val('sty', 'p')) + r('v', val('sty', 'b')) + r('w', val('sty', 'bi')),
      '\\mathrm{kg}\\mathbf{v}\\boldsymbol{w}',
    ],
    [
      'alphabets by property and by character',
      r('R', val('scr', 'double-struck')) + r('𝐱ℂ𝛼'),
      '\\mathbb{R}\\mathbf{x}\\mathbb{C}\\alpha',
    ],
    ['dashes and carets as typed', r('x – y^2'), 'x-y^2'],
    ['braces and a sign without meaning here', r('{a}#'), '\\{a\\}\\#'],
    ['nothing', '<m:r><m:t></m:t></m:r>', ''],
  ])('writes %s', async (_, content, latex) => {
    expect(toLatex(await parse(content))).toBe(latex)
  })
})

describe('toLinear', () => {
  it('writes a formula as one line', async () => {
    const root = make('rad', val('degHide', '1'), '<m:deg/>', e(r('b+1')))
    const content =
      r('x=') + make('f', '', arg('num', r('a') + root), arg('den', make('sSup', '', e(r('c')), arg('sup', r('2')))))
    expect(toLinear(await parse(content))).toBe('x=(a√(b+1))/(c^2)')
  })
})
