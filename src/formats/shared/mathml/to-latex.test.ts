import { describe, expect, it } from 'vitest'
import { parseHtml } from '../html/tree.ts'
import { toLatex } from './to-latex.ts'
import { toLinear } from './to-linear.ts'

const both = async (markup: string): Promise<[latex: string, linear: string]> => {
  const root = await parseHtml(`<math>${markup}</math>`, { xml: true })
  const math = root.children[0]
  if (typeof math !== 'object') throw new Error('no element')
  return [toLatex(math), toLinear(math)]
}

describe('MathML', () => {
  it.each([
    ['<mi>a</mi><mo>+</mo><mi>b</mi>', 'a+b', 'a+b'],
    ['<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac>', '\\frac{a}{b+1}', 'a/(b+1)'],
    ['<msqrt><mi>x</mi></msqrt><mroot><mi>y</mi><mn>3</mn></mroot>', '\\sqrt{x}\\sqrt[3]{y}', '√x3√y'],
    ['<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>', 'x_{i}^{2}', 'x_i^2'],
    [
      '<munderover><mo>∑</mo><mrow><mi>n</mi><mo>=</mo><mn>1</mn></mrow><mi>∞</mi></munderover>',
      '\\sum_{n=1}^{\\infty}',
      '∑_(n=1)^∞',
    ],
    ['<mover accent="true"><mi>x</mi><mo>^</mo></mover>', '\\hat{x}', 'x'],
    ['<mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>¯</mo></mover>', '\\overline{AB}', 'AB'],
    ['<mi>sin</mi><mo>\u2061</mo><mi>θ</mi>', '\\sin\\theta', 'sinθ'],
    [
      '<mrow><mo>(</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr></mtable><mo>)</mo></mrow>',
      '\\begin{pmatrix}a & b\\end{pmatrix}',
      '(a, b)',
    ],
    ['<mfenced open="[" close="]"><mi>a</mi><mi>b</mi></mfenced>', '\\left[a,b\\right]', '[a, b]'],
    ['<mi mathvariant="double-struck">R</mi><mtext> if </mtext><mn>1.5</mn>', '\\mathbb{R}\\text{ if }1.5', 'Rif1.5'],
    ['<semantics><mi>x</mi><annotation encoding="StarMath 5.0">y</annotation></semantics>', 'x', 'x'],
    [
      '<mmultiscripts><mi>X</mi><mi>a</mi><mi>b</mi><mprescripts/><mi>c</mi><none/></mmultiscripts>',
      '{}_{c}X_{a}^{b}',
      'Xabc',
    ],
  ])('%s', async (markup, latex, linear) => {
    expect(await both(markup)).toEqual([latex, linear])
  })
})
