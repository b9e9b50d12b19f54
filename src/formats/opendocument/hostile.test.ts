import { describe, expect, it } from 'vitest'
import { zipParts } from '../shared/ooxml/office-fixture.ts'
import { runCapability, runProbe } from '../shared/run-capability.ts'
import format from './format.ts'
import { type OdfContent, odfParts } from './odf-fixture.ts'

const make = async (body: string, more: Partial<OdfContent> = {}): Promise<Buffer> =>
  await zipParts(odfParts('text', { body: `<office:text>${body}</office:text>`, ...more }))
const markdownOf = async (file: Buffer): Promise<string> =>
  (await runCapability(format, 'opendocument.markdown', 'file.odt', file)).artifacts['markdown/file.md'] ?? ''
const over = (limit: string) => ({ code: 'extract.limit_exceeded', params: { limit } })

describe('hostile OpenDocument files', () => {
  it('stops at elements nested without end', async () => {
    const deep = `${'<text:section>'.repeat(200_000)}<text:p>x</text:p>${'</text:section>'.repeat(200_000)}`
    await expect(markdownOf(await make(deep))).rejects.toMatchObject(over('xmlDepth'))
  })

  it('reads a table whose cells and rows are repeated without end', async () => {
    const cell = '<table:table-cell table:number-columns-repeated="2000000000"><text:p>x</text:p></table:table-cell>'
    const row = `<table:table-row table:number-rows-repeated="2000000000">${cell}</table:table-row>`
    const text = await markdownOf(await make(`<table:table>${row}</table:table><text:p>after</text:p>`))
    expect(text.length).toBeLessThan(1_000_000)
    expect(text).toContain('after')
  })

  it('takes merging off a table that would unfold to billions of places', async () => {
    const cell =
      '<table:table-cell table:number-columns-spanned="999999999" table:number-rows-spanned="999999999"><text:p>x</text:p></table:table-cell>'
    const rows = `<table:table-row>${cell}${cell}</table:table-row>`.repeat(1_100)
    expect((await markdownOf(await make(`<table:table>${rows}</table:table>`))).length).toBeLessThan(1_000_000)
  })

  it('reads blanks that are counted in billions as a few', async () => {
    const text = await markdownOf(await make('<text:p>a<text:s text:c="2000000000"/>b</text:p>'))
    expect(text).toBe('a b\n')
  })

  it('does not follow styles, lists and objects in circles', async () => {
    const styles =
      '<style:style style:name="A" style:family="paragraph" style:parent-style-name="B"/><style:style style:name="B" style:family="paragraph" style:parent-style-name="A"/>'
    const body =
      '<text:list xml:id="l" text:continue-list="l"><text:list-item><text:p text:style-name="A">x</text:p></text:list-item></text:list>' +
      '<text:p><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>'
    const object =
      '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><draw:object xlink:href="../Object 1"/></office:document-content>'
    expect(await markdownOf(await make(body, { styles, more: { 'Object 1/content.xml': object } }))).toBe('- x\n')
  })

  it('fetches nothing and follows no path out of the file', async () => {
    const image = (href: string) => `<draw:frame><draw:image xlink:href="${href}"/></draw:frame>`
    const body = `<text:p>${['../../etc/passwd', 'file:///etc/passwd', '/etc/passwd', 'http://127.0.0.1/x.png'].map(image).join('')}x</text:p>`
    const text = await markdownOf(await make(body))
    expect(text).toBe('![](http://127.0.0.1/x.png)x\n')
  })
})

describe('the probe of OpenDocument files', () => {
  it('takes the pages that a text says it has, and counts characters where it says none', async () => {
    const meta = '<meta:document-statistic meta:page-count="12"/>'
    expect(await runProbe(format, 'a.odt', await make('<text:p>x</text:p>', { meta }))).toEqual({ pages: 12 })
    const long = `<text:tracked-changes><text:p>${'y'.repeat(9_000)}</text:p></text:tracked-changes><text:p>${'x'.repeat(1_801)}</text:p>`
    expect(await runProbe(format, 'a.odt', await make(long))).toEqual({ pages: 2 })
    expect(await runProbe(format, 'a.odt', await make(''))).toEqual({ pages: 1 })
  })

  it('counts slides, and pages of drawings', async () => {
    const pages = '<draw:page/><draw:page/><draw:page/>'
    const deck = await zipParts(
      odfParts('presentation', { body: `<office:presentation>${pages}</office:presentation>` }),
    )
    const drawing = await zipParts(odfParts('graphics', { body: `<office:drawing>${pages}</office:drawing>` }))
    expect(await runProbe(format, 'a.odp', deck)).toEqual({ slides: 3 })
    expect(await runProbe(format, 'a.odg', drawing)).toEqual({ pages: 3 })
  })
})
