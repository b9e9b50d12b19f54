import type { Block, Heading, Inline, TextInline } from '../document/model.ts'
import type { HtmlElement } from './tree.ts'

/** How text is set at some point of the document. */
export type Style = Omit<TextInline, 'kind' | 'text'> & { preformatted?: boolean; direction?: 'rtl' }

/** What the parts of a reading share. */
export type Reading = {
  /** Finds or makes the image of an address; nothing where it cannot be shown. */
  image(src: string): string | undefined
  /** The address of a link as it is to be written; nothing where it leads nowhere. */
  href(raw: string): string | undefined
  /** The note that an element refers to, which then stands for it. */
  note?: ((element: HtmlElement) => string | undefined) | undefined
  /** Sees every heading that is read, with the element that it came from. */
  heading?: ((element: HtmlElement, heading: Heading) => void) | undefined
}

/** Collects blocks; inline content gathers until something ends the paragraph. */
export class Flow {
  readonly blocks: Block[] = []
  #inline: Inline[] = []
  #direction: 'rtl' | undefined

  add(block: Block): void {
    this.endParagraph()
    this.blocks.push(block)
  }

  addInline(inline: Inline): void {
    if (inline.kind === 'break') this.#trimEnd()
    this.#inline.push(inline)
  }

  addText(raw: string, { preformatted, direction, ...style }: Style): void {
    this.#direction = direction
    if (preformatted) this.#addPreformatted(raw, style)
    else this.#addCollapsed(raw, style)
  }

  #addCollapsed(raw: string, style: Omit<TextInline, 'kind' | 'text'>): void {
    let text = raw.replace(/[ \t\n\r\f]+/g, ' ')
    if (text.startsWith(' ') && this.#endsInSpace()) text = text.slice(1)
    if (text === '') return
    const last = this.#inline.at(-1)
    if (last?.kind === 'text' && isSameStyle(last, style)) last.text += text
    else this.#inline.push({ kind: 'text', text, ...style })
  }

  #addPreformatted(raw: string, style: Omit<TextInline, 'kind' | 'text'>): void {
    for (const [i, line] of raw.split('\n').entries()) {
      if (i > 0) this.#inline.push({ kind: 'break' })
      if (line !== '') this.#inline.push({ kind: 'text', text: line, ...style })
    }
  }

  endParagraph(): void {
    const content = this.takeInline()
    if (content.length === 0) return
    this.blocks.push({ kind: 'paragraph', content, ...(this.#direction ? { direction: this.#direction } : {}) })
    this.#direction = undefined
  }

  /** What has gathered since the last block, without the white space around it. */
  takeInline(): Inline[] {
    this.#trimEnd()
    while (this.#inline.at(-1)?.kind === 'break') {
      this.#inline.pop()
      this.#trimEnd()
    }
    const content = this.#inline
    this.#inline = []
    return content
  }

  #endsInSpace(): boolean {
    const last = this.#inline.at(-1)
    return last === undefined || last.kind === 'break' || (last.kind === 'text' && last.text.endsWith(' '))
  }

  #trimEnd(): void {
    for (let last = this.#inline.at(-1); last?.kind === 'text'; last = this.#inline.at(-1)) {
      last.text = last.text.replace(/ +$/, '')
      if (last.text !== '') return
      this.#inline.pop()
    }
  }
}

const STYLE_KEYS = ['bold', 'italic', 'underline', 'strike', 'code', 'script', 'href'] as const

const isSameStyle = (text: TextInline, style: Style): boolean => STYLE_KEYS.every((key) => text[key] === style[key])

/** The inline content of blocks, as one line of thought; what cannot stand in a line is left to `rest`. */
export const splitInline = (blocks: readonly Block[]): { content: Inline[]; rest: Block[] } => {
  const content: Inline[] = []
  const rest: Block[] = []
  for (const block of blocks) {
    if (block.kind !== 'paragraph' && block.kind !== 'heading') {
      rest.push(block)
      continue
    }
    if (content.length > 0) content.push({ kind: 'text', text: ' ' })
    content.push(...block.content)
  }
  return { content, rest }
}
