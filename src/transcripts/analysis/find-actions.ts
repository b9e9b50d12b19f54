import type { FindDueDate } from './due-dates.ts'
import { AGREES, DISAGREES, dropFillers, plain, SUPPOSED, smooth, splitClauses } from './english.ts'
import type { ActionItem } from './model.ts'
import type { IsName } from './names.ts'
import { joinCitations, type Sentence } from './sentences.ts'
import { matchTask, TEAMS } from './tasks.ts'

const ADVERBS =
  '(?:(?:also|just|then|definitely|probably|quickly|go ahead and|try to|be able to|please|maybe|personally|make sure to)\\s+)*'
const WILL = "(?:'ll| will| shall|'m going to| am going to|'m gonna)"
const COMMITS = new RegExp(`^(i (?:think|guess|suppose) )?I${WILL}\\s+${ADVERBS}(.+)$`, 'i')
const OFFERS = new RegExp(`^I can\\s+${ADVERBS}(.+)$`, 'i')
const ASKS = new RegExp(
  `^(?:(\\p{Lu}[\\p{Ll}'-]+),?\\s+)?(?:(?:can|could|would|will) you(?: mind)?|please|i need you to|i want you to|i'd like you to|you(?:'ll| will) need to)\\s+${ADVERBS}(.+)$`,
  'iu',
)
const NAMED = new RegExp(
  `^(?:(?:[Tt]he )?(${TEAMS.replace(/\b[a-z]/g, (char) => `[${char}${char.toUpperCase()}]`)})(?: team)?|(\\p{Lu}[\\p{Ll}'-]+))(?:,? you)?(?: will|'ll| is going to| is gonna| needs to| need to| has to| is to| should)\\s+${ADVERBS}(.+)$`,
  'u',
)
const WE_MUST = new RegExp(`^(?:we (?:need to|have to|must|'ve got to|should)|let's)\\s+${ADVERBS}(.+)$`, 'i')
const DECLARED =
  /^(?:(?:the |an? |one |another |first |next )*(?:action item|action point|to-do|todo|follow-?up|next step)s?)(?: for (?:the )?(\p{Lu}?[\p{L}'-]+))?(?:\s*[:,–—-]\s*|\s+(?:is|are|would be|will be)(?: for (\p{Lu}[\p{Ll}'-]+))? (?:to|that)\s+)(.+)$/iu

/** An item before items about the same are put together. */
type Draft = ActionItem & { verb: string; isReference: boolean }

/** Tools that a sentence is read with. */
export type ActionTools = { isName: IsName; findDueDate: FindDueDate }

/** Who is to do what by when. A wrong item is worse than a missing one: what is doubtful is left out. */
export const findActions = (sentences: readonly Sentence[], tools: ActionTools): ActionItem[] => {
  const drafts: Draft[] = []
  for (const index of sentences.keys()) {
    for (const draft of readSentence(sentences, index, tools)) {
      const before = drafts.at(-1)
      if (before && isSame(before, draft)) drafts[drafts.length - 1] = merge(before, draft)
      else drafts.push(draft)
    }
  }
  return drafts.map(({ verb: _verb, isReference: _isReference, ...item }) => item)
}

const readSentence = (sentences: readonly Sentence[], index: number, tools: ActionTools): Draft[] => {
  const sentence = sentences[index] as Sentence
  const text = plain(sentence.text)
  const declared = DECLARED.exec(dropFillers(text))
  if (declared) return [readDeclared(sentence, declared, tools)]
  if (SUPPOSED.test(text)) return []
  const found = splitClauses(text).flatMap((clause) => {
    const draft =
      readCommitment(sentences, index, clause, tools) ??
      readRequest(sentences, index, clause, tools) ??
      readNamed(sentence, clause, tools)
    return draft === null ? [] : [{ draft, clause }]
  })
  // Several tasks in one sentence: each keeps its own words and its own day.
  if (found.length < 2) return found.map(({ draft }) => draft)
  return found.map(({ draft, clause }) => ({ ...draft, text: tidy(clause), due: tools.findDueDate(clause) }))
}

const makeDraft = (
  cited: readonly Sentence[],
  text: string,
  owner: string | null,
  task: { verb: string; isReference: boolean },
  { findDueDate }: ActionTools,
): Draft => ({
  ...joinCitations(cited),
  text,
  speaker: cited.at(-1)?.speaker ?? null,
  owner,
  due: findDueDate(text),
  ...task,
})

const readDeclared = (sentence: Sentence, [, first, second, rest = '']: RegExpExecArray, tools: ActionTools): Draft => {
  const lead = /^(?:(?:for )?(\p{Lu}[\p{Ll}'-]+)(?: to|,|:| will| needs to))\s+/u.exec(rest)?.[1]
  const owner = [first, second, lead].find((name) => name !== undefined && (tools.isName(name) || isTeam(name))) ?? null
  const verb = matchTask(rest)?.verb ?? rest
  return makeDraft([sentence], tidy(sentence.text), owner, { verb, isReference: false }, tools)
}

/** "I'll …": the speaker commits. */
const readCommitment = (
  sentences: readonly Sentence[],
  index: number,
  clause: string,
  tools: ActionTools,
): Draft | null => {
  const sentence = sentences[index] as Sentence
  const [, isUnsure, committed] = COMMITS.exec(clause) ?? []
  const offered = OFFERS.exec(clause)?.[1]
  const task = matchTask(committed ?? offered ?? '')
  if (task === null || sentence.text.trimEnd().endsWith('?')) return null
  // "I can" is an offer where it points at what was said or names a day, else it is only an ability.
  const isFirm = committed === undefined ? task.isReference : isUnsure === undefined
  if (!isFirm && tools.findDueDate(clause) === null) return null
  if (!task.isReference) return makeDraft([sentence], tidy(sentence.text), sentence.speaker, task, tools)
  // "I'll do that" says nothing without what came before.
  const before = sentences[index - 1]
  if (before === undefined || sentence.startSeconds - before.endSeconds > CONTEXT_SECONDS) return null
  const text = `${tidy(before.text)} ${tidy(sentence.text)}`
  return { ...makeDraft([before, sentence], text, sentence.speaker, task, tools), speaker: sentence.speaker }
}

const CONTEXT_SECONDS = 30
const ANSWER_SENTENCES = 3

/** "Yes, you can" answers what is possible, not a request. */
const IS_ABILITY = /^\W*(?:yes|yeah|yep|sure|of course)?\W*(?:you|it|they|one) (?:can|could|do|does)\b/i

/** "Tom, can you …": who is named is asked; who is not named must say yes. */
const readRequest = (
  sentences: readonly Sentence[],
  index: number,
  clause: string,
  tools: ActionTools,
): Draft | null => {
  const sentence = sentences[index] as Sentence
  const asked = ASKS.exec(clause)
  const task = matchTask(asked?.[2] ?? '')
  if (asked === null || task === null || task.isReference) return null
  const answer = sentences
    .slice(index + 1, index + 1 + ANSWER_SENTENCES)
    .find(({ speaker }) => speaker !== null && speaker !== sentence.speaker)
  if (answer && (DISAGREES.test(plain(answer.text)) || IS_ABILITY.test(plain(answer.text)))) return null
  const name = findCalled(tidy(sentence.text), asked[1], tools.isName)
  const accepts = answer !== undefined && AGREES.test(plain(answer.text))
  const owner = name ?? (accepts ? answer.speaker : null)
  if (owner === null) return null
  const cited = accepts ? [sentence, answer] : [sentence]
  return { ...makeDraft(cited, tidy(sentence.text), owner, task, tools), speaker: sentence.speaker }
}

/** Who is called: before the request, or at either end of the sentence. */
const findCalled = (text: string, first: string | undefined, isName: IsName): string | null => {
  const start = /^(?:\p{L}+,\s+)?(\p{Lu}[\p{Ll}'-]+),/u.exec(text)?.[1]
  const end = /,\s+(\p{Lu}[\p{Ll}'-]+)[?.!]*$/u.exec(text)?.[1]
  return [first, start, end].find((word) => word !== undefined && isName(word)) ?? null
}

/** "Mary will …", "marketing needs to …"; "we need to …" only with a day. */
const readNamed = (sentence: Sentence, clause: string, tools: ActionTools): Draft | null => {
  if (sentence.text.trimEnd().endsWith('?')) return null
  const named = NAMED.exec(clause)
  if (named) {
    const [, team, name, rest = ''] = named
    const task = matchTask(rest)
    const owner = team ? capitalize(team) : name !== undefined && tools.isName(name) ? name : null
    const isWeak = / should /.test(clause.slice(0, clause.length - rest.length)) && tools.findDueDate(clause) === null
    if (task !== null && owner !== null) {
      return isWeak ? null : makeDraft([sentence], tidy(sentence.text), owner, task, tools)
    }
  }
  const task = matchTask(WE_MUST.exec(clause)?.[1] ?? '')
  if (task === null || task.isReference || tools.findDueDate(clause) === null) return null
  return makeDraft([sentence], tidy(sentence.text), null, task, tools)
}

const isTeam = (word: string): boolean => new RegExp(`^(?:${TEAMS})$`, 'i').test(word)
const capitalize = (text: string): string => text.replace(/^./u, (char) => char.toUpperCase())

/** The sentence without what leads up to it. */
const tidy = (text: string): string => {
  const said = smooth(text)
  return capitalize(dropFillers(said).trim() || said)
}

const SAME_SECONDS = 45

/** "Can you send it?" and "Yes, I'll send it tomorrow" are one item. */
const isSame = (before: Draft, after: Draft): boolean => {
  if (after.startSeconds - before.endSeconds > SAME_SECONDS || after.segmentIds.join() === before.segmentIds.join()) {
    return after.isReference
  }
  const isCited = after.segmentIds.some((id) => before.segmentIds.includes(id))
  return after.isReference ? isCited || before.verb === after.verb : isCited && before.verb === after.verb
}

const merge = (before: Draft, after: Draft): Draft => ({
  ...before,
  ...joinCitations([before, after]),
  owner: before.owner ?? after.owner,
  due: after.due ?? before.due,
})
