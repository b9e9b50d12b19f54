const UNSEEN = /^(?:head|style|script)$/i
const LONGEST_ENTITY = 10
const AMPERSAND = 38
const SPACE = 32

/** Characters that a page of markup shows, in one pass: without tags, runs of white space as one. */
export const countCharacters = (markup: string): number => {
  let characters = 0
  let at = 0
  while (at < markup.length) {
    const open = markup.indexOf('<', at)
    characters += countText(markup, at, open < 0 ? markup.length : open)
    if (open < 0) break
    const name = /^<([a-z]+)/i.exec(markup.slice(open, open + 10))?.[1] ?? ''
    const close = UNSEEN.test(name) ? markup.indexOf(`</${name}`, open) : open
    const end = close < 0 ? -1 : markup.indexOf('>', close)
    if (end < 0) break
    at = end + 1
  }
  return characters
}

const countText = (markup: string, from: number, to: number): number => {
  let count = 0
  let isBlank = true
  let isAfterBlank = false
  for (let at = from; at < to; at++) {
    const code = markup.charCodeAt(at)
    if (code <= SPACE) {
      if (!isAfterBlank) count++
      isAfterBlank = true
      continue
    }
    if (code === AMPERSAND) {
      const [entity = '&'] = /^&#?\w+;/.exec(markup.slice(at, at + LONGEST_ENTITY)) ?? []
      at += entity.length - 1
    }
    isBlank = false
    isAfterBlank = false
    count++
  }
  return isBlank ? 0 : count
}
