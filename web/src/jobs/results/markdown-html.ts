import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import type { CompileContext, HtmlExtension, Token } from 'micromark-util-types'
import { cleanTable } from './clean-table.ts'

/**
 * HTML that stands in the Markdown is shown as the text it is. Our own writers use it for two things, which alone go
 * through: tables with merged cells, and the end of a line inside a cell.
 */
const onlyOwnHtml: HtmlExtension = {
  enter: {
    htmlFlow(this: CompileContext) {
      this.buffer()
    },
    htmlText(this: CompileContext) {
      this.buffer()
    },
  },
  exit: {
    htmlFlow(this: CompileContext, token: Token) {
      this.resume()
      const html = this.sliceSerialize(token)
      this.lineEndingIfNeeded()
      if (/^\s*<table[\s>]/i.test(html)) this.raw(cleanTable(html))
      else if (!isComment(html)) this.raw(`<p>${this.encode(html)}</p>`)
    },
    htmlText(this: CompileContext, token: Token) {
      this.resume()
      const html = this.sliceSerialize(token)
      if (!isComment(html)) this.raw(/^<br\s*\/?>$/i.test(html) ? '<br>' : this.encode(html))
    },
  },
}

/** Marks of pages and the like, which nobody is meant to read. */
const isComment = (html: string): boolean => /^\s*<!--(?:(?!-->).)*-->\s*$/s.test(html)

/** Markdown as HTML; it goes into the page only through show-html.tsx. */
export const markdownToHtml = (markdown: string): string =>
  micromark(markdown, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml({ clobberPrefix: '', label: 'Notes' }), onlyOwnHtml],
    // Addresses are judged one by one when the elements are made.
    allowDangerousProtocol: true,
  })
