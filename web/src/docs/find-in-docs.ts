import type { Guide, GuidePart } from '../../build/guides.ts'
import { plainText } from '../../build/plain-text.ts'

/** A place in the documentation that can be found. */
export type Place = { href: string; page: string; heading: string; text: string }
/** A place, and the part of its text that shows why it was found. */
export type Found = Place & { excerpt: string }

const MAX_FOUND = 30
const BEFORE_CHARACTERS = 60
const EXCERPT_CHARACTERS = 200
const HEADING = /(?=<h[2-4] id=")/
const HEADING_ID = /^<h[2-4] id="([^"]*)">(.*?)<\/h[2-4]>/s

/** The sections of a guide: what stands before its first heading, and one for each heading. */
export const listPlaces = (path: string, { title, parts }: Guide): Place[] => {
  const places: Place[] = [{ href: path, page: title, heading: '', text: '' }]
  for (const part of parts) {
    for (const piece of piecesOf(part)) {
      const [head, id, heading] = HEADING_ID.exec(piece) ?? []
      if (id !== undefined && heading !== undefined) {
        places.push({ href: `${path}#${id}`, page: title, heading: plainText(heading), text: '' })
      }
      const place = places.at(-1)
      const text = part.type === 'prose' ? plainText(piece.slice(head?.length ?? 0).replace(TITLE, '')) : piece
      if (place) place.text = `${place.text} ${text}`.replace(/\s+/g, ' ').trim()
    }
  }
  return places
}

const TITLE = /<h1>.*?<\/h1>/s

const piecesOf = (part: GuidePart): string[] => {
  switch (part.type) {
    case 'prose':
      // Words of neighbouring cells and lines are words apart.
      return part.html.replace(/<\/(?:t[dh]|li|p|h1)>/g, '$& ').split(HEADING)
    case 'code':
      return [part.block.code]
    case 'example':
      // The others say the same.
      return part.blocks.slice(0, 1).map(({ code }) => code)
    case 'slot':
      return []
  }
}

/** The places that have every word of the question, the likeliest first. */
export const findPlaces = (places: readonly Place[], question: string): Found[] => {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return places
    .map((place) => ({ place, score: rate(place, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_FOUND)
    .map(({ place }) => ({ ...place, excerpt: excerptOf(place.text, words) }))
}

/** How well a place answers; 0 where a word is missing. */
const rate = ({ page, heading, text }: Place, words: readonly string[]): number => {
  // The beginning of a page is about what the page is about.
  const [name, title, body] = [heading || page, page, text].map((part) => part.toLowerCase()) as [
    string,
    string,
    string,
  ]
  const whole = words.join(' ')
  let score = name === whole ? 100 : 0
  for (const word of words) {
    const found = 20 * rateWord(name, word) + 5 * rateWord(title, word) + rateWord(body, word)
    if (found === 0) return 0
    score += found
  }
  return score + (body.includes(whole) ? 3 : 0)
}

/** 3 for the word itself, 2 for the beginning of one, 1 for a part. */
const rateWord = (text: string, word: string): number => {
  let best = 0
  for (let at = text.indexOf(word); at >= 0 && best < 3; at = text.indexOf(word, at + 1)) {
    const begins = !isWordCharacter(text[at - 1])
    const ends = !isWordCharacter(text[at + word.length])
    best = Math.max(best, begins && ends ? 3 : begins ? 2 : 1)
  }
  return best
}

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character)

/** Some text around the first of the words, from and to the bounds of words. */
const excerptOf = (text: string, words: readonly string[]): string => {
  const lower = text.toLowerCase()
  const firsts = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0)
  const wanted = Math.max(0, Math.min(...firsts, text.length) - BEFORE_CHARACTERS)
  const from = firsts.length === 0 || wanted === 0 ? 0 : text.indexOf(' ', wanted) + 1
  const cut = text.slice(from, from + EXCERPT_CHARACTERS)
  const isCut = from + cut.length < text.length
  const end = isCut ? cut.slice(0, Math.max(cut.lastIndexOf(' '), EXCERPT_CHARACTERS / 2)) : cut
  return `${from > 0 ? '… ' : ''}${end}${isCut ? ' …' : ''}`
}

/** A text in pieces, those that the question asks for marked. */
export const markWords = (text: string, question: string): { text: string; isMarked: boolean }[] => {
  const words = question
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (words.length === 0) return [{ text, isMarked: false }]
  return text
    .split(new RegExp(`(${words.join('|')})`, 'gi'))
    .map((piece, index) => ({ text: piece, isMarked: index % 2 === 1 }))
    .filter((piece) => piece.text !== '')
}
