import { DOES_NOT_KNOW, PUT_OFF, plain, SUPPOSED } from './english.ts'
import type { Finding } from './model.ts'
import { joinCitations, type Sentence } from './sentences.ts'

/** Asked to keep the talk going, not to know something. */
const SOCIAL =
  /\b(?:(?:can|could) (?:you|everyone|everybody|anyone|people) (?:all )?(?:hear|see)|hear me|see my screen|make sense|any (?:other )?questions|anything else|any objections|how are you|how's it going|how is everyone|what's up|sounds? good|shall we (?:start|begin|move|continue|wrap)|should we (?:start|begin|move on|continue|wrap)|ready to (?:start|go|begin)|you know what|are we (?:good|ready|recording)|who'?s (?:next|first)|want to go (?:first|next)|can you repeat|what did you say|say that again|right|okay|isn't it|doesn't it|don't you think|is everyone here|can (?:you|we) (?:start|go|move))\W*$/i
const SOCIAL_START =
  /^(?:so |and |okay,? |hi,? |hey,? )*(?:how are you|how's it going|can (?:you|everyone|everybody) (?:hear|see)|shall we|any (?:other )?questions|does that make sense|remember when|do you know what i mean|why would (?:anybody|anyone|you|we|they)|guess what|did you (?:see|have a))/i

/** Said outright to be open. */
const STATED =
  /\b(?:(?:the|an?|another|one|big|biggest|main) (?:open|outstanding|unresolved|remaining) (?:question|issue)|(?:we|I) (?:still )?(?:don't|do not) (?:yet )?know (?:yet )?(?:whether|if|how|what|who|when|why|where|which)|(?:we|somebody|someone) (?:still )?(?:need|needs|have|has) to (?:figure out|find out|work out|decide|determine|clarify) (?:whether|if|how|what|who|when|why|where|which)|it's (?:still )?(?:unclear|not clear|an open question) (?:whether|if|how|what|who|when|why|where|which)|remains to be seen)\b/i

const LEAST_WORDS = 4
const ANSWER_SENTENCES = 4
const ANSWER_SECONDS = 30

/** Questions that nobody could answer, that were put off, or that were said to be open. */
export const findQuestions = (sentences: readonly Sentence[]): Finding[] =>
  sentences.flatMap((sentence, index) => {
    const text = plain(sentence.text).trim()
    const finding = { text: sentence.text, speaker: sentence.speaker }
    if (!text.endsWith('?')) return STATED.test(text) ? [{ ...joinCitations([sentence]), ...finding }] : []
    if (text.split(/\s+/).length < LEAST_WORDS || SOCIAL.test(text) || SOCIAL_START.test(text)) return []
    const sign = findSign(sentences, index)
    return sign ? [{ ...joinCitations([sentence, sign]), ...finding }] : []
  })

/** The sentence that shows that a question stays open: the first answer is that nobody knows, or that it must wait. */
const findSign = (sentences: readonly Sentence[], index: number): Sentence | undefined => {
  const asked = sentences[index] as Sentence
  const after = sentences
    .slice(index + 1, index + 1 + ANSWER_SENTENCES)
    .filter(({ startSeconds }) => startSeconds - asked.endSeconds <= ANSWER_SECONDS)
  const putOff = after.find(({ text }) => PUT_OFF.test(plain(text)))
  if (putOff) return putOff
  const answers = after.filter(({ text, speaker }) => speaker !== asked.speaker || speaker === null || isOwnDoubt(text))
  const first = answers.slice(0, 2).find(({ text }) => DOES_NOT_KNOW.test(plain(text)))
  // Somebody who does not know may be followed by somebody who does.
  const last = first && after.at(after.indexOf(first) + 1)
  const isAnswered =
    last !== undefined && last.speaker !== first?.speaker && last.speaker !== asked.speaker && isAnswer(last)
  return isAnswered ? undefined : first
}

const isOwnDoubt = (text: string): boolean => DOES_NOT_KNOW.test(plain(text))
const isAnswer = ({ text }: Sentence): boolean =>
  !text.endsWith('?') &&
  text.split(/\s+/).length > 5 &&
  !DOES_NOT_KNOW.test(plain(text)) &&
  !SUPPOSED.test(plain(text)) &&
  !/\bI'll\b/.test(plain(text))
