import type { JsonEvents } from './json-scanner.ts'

/** Deeper than this everything stands on one line: indentation would outgrow the data. */
const MAX_INDENTED_DEPTH = 24

/** Writes the events of JSON down again, indented or compact. `take` hands over what is written so far. */
export class JsonPrinter implements JsonEvents {
  readonly #pretty: boolean
  #out = ''
  #depth = 0
  #isFirst = true
  #afterKey = false

  constructor(style: 'pretty' | 'compact') {
    this.#pretty = style === 'pretty'
  }

  take(): string {
    const out = this.#out
    this.#out = ''
    return out
  }

  open(kind: '{' | '['): void {
    this.#separate()
    this.#out += kind
    this.#depth++
    this.#isFirst = true
  }

  close(kind: '}' | ']'): void {
    this.#depth--
    if (!this.#isFirst) this.#breakLine()
    this.#out += kind
    this.#isFirst = false
  }

  key(raw: string): void {
    this.#separate()
    this.#out += this.#pretty ? `${raw}: ` : `${raw}:`
    this.#afterKey = true
  }

  scalar(raw: string): void {
    this.#separate()
    this.#out += raw
  }

  #separate(): void {
    if (this.#afterKey) {
      this.#afterKey = false
      return
    }
    if (!this.#isFirst) this.#out += ','
    if (this.#depth > 0) this.#breakLine(this.#isFirst ? 0 : 1)
    this.#isFirst = false
  }

  #breakLine(spaces = 0): void {
    if (!this.#pretty) return
    if (this.#depth <= MAX_INDENTED_DEPTH) this.#out += INDENTS[this.#depth]
    else if (spaces > 0) this.#out += ' '
  }
}

const INDENTS = Array.from({ length: MAX_INDENTED_DEPTH + 1 }, (_, depth) => `\n${'  '.repeat(depth)}`)
