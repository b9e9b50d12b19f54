import { describe, expect, it } from 'vitest'
import { readDrawn } from './content-stream.ts'

const read = (content: string) => readDrawn(Buffer.from(content, 'latin1'), 100)
const named = (content: string) => read(content).map((drawn) => ('name' in drawn ? [drawn.name, ...drawn.matrix] : []))

describe('readDrawn', () => {
  it('follows transformations through saved states', () => {
    expect(named('q 2 0 0 2 10 20 cm q 1 0 0 1 5 5 cm /A Do Q /B Do Q /C Do')).toEqual([
      ['/A', 2, 0, 0, 2, 20, 30],
      ['/B', 2, 0, 0, 2, 10, 20],
      ['/C', 1, 0, 0, 1, 0, 0],
    ])
  })

  it('takes nothing in strings, arrays, dictionaries and comments for an operator', () => {
    const content =
      '(a \\) /A Do (inner) ) Tj [(x) 3 /A Do] TJ /P << /M (/A Do) /N [1 <</O 2>>] >> BDC <2f> Tj % /A Do\n/B Do'
    expect(named(content)).toEqual([['/B', 1, 0, 0, 1, 0, 0]])
  })

  it('reads names and numbers in all their spellings', () => {
    expect(named('+.5 0 0 -0. 1. --3 cm /A#20B Do')).toEqual([['/A B', 0.5, 0, 0, 0, 1, 0]])
  })

  it('is not upset by what makes no sense', () => {
    expect(named('Q Q ] >> ) 1 cm /A cm Do } { /B Do (open')).toEqual([['/B', 1, 0, 0, 1, 0, 0]])
    expect(named('['.repeat(10_000))).toEqual([])
    expect(named('BI /W 1 ID')).toEqual([])
  })

  it('reads images in the content, with short names, and goes on behind them', () => {
    const content = 'BI /W 4 /H 2 /BPC 8 /CS [/I /RGB 1 (\\000a\\(\\)bc)] /F /AHx ID 0001 EI 00 > EI /A Do'
    const [image, after] = read(content)
    expect(image).toMatchObject({
      inline: {
        dict: {
          '/Width': 4,
          '/Height': 2,
          '/BitsPerComponent': 8,
          '/ColorSpace': ['/Indexed', '/DeviceRGB', 1, 'b:006128296263'],
          '/Filter': '/AHx',
        },
      },
    })
    expect(after).toMatchObject({ name: '/A' })
  })

  it('knows how long an image without compression is, whatever its bytes spell', () => {
    const [image, after] = read('BI /W 8 /H 6 /IM true ID \nEI QAEI Q /A Do')
    expect(image).toMatchObject({ inline: { data: Buffer.from('\nEI QA') } })
    expect(after).toMatchObject({ name: '/A' })
  })
})
