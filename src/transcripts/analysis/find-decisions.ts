import { AGREES, DISAGREES, dropFillers, plain, SUPPOSED, splitClauses } from './english.ts'
import type { Finding } from './model.ts'
import { joinCitations, type Sentence } from './sentences.ts'

/** Somebody states that something is decided. */
const STATED =
  /\b(?:we(?:'ve| have)?(?: all| just| now| finally)? (?:decided|agreed|settled|resolved|voted) (?:to|that|on|not to|against|upon)|(?:the|our|my|final) decision (?:is|was|has been)|(?:it's|it is|that's|that is) (?:decided|settled|agreed|final)|(?:motion|proposal|budget|plan|request) (?:is |has been |was )?(?:carried|carries|passes|passed|approved|accepted)|(?:we|I)(?:'re| are|'m| am) (?:approving|signing off on)|consensus is)\b/i

/** Somebody proposes; it is a decision only if another one agrees. */
const PROPOSED =
  /^(?:then |and |i think |i'd say |i say )*(?:let's|we'll|we will|we're going to|we are going to|we're|we are) (?:just |then |all |definitely |not )*(?:go(?:ing)? with|go(?:ing)? ahead with|mov(?:e|ing) (?:forward|ahead) with|proceed(?:ing)? with|stick(?:ing)? with|switch(?:ing)? to|settl(?:e|ing) on|ship(?:ping)?|postpon(?:e|ing)|delay(?:ing)?|drop(?:ping)?|cancel(?:ing|ling)?|adopt(?:ing)?|launch(?:ing)?|approv(?:e|ing)|keep(?:ing)? the|push(?:ing)? (?:the|it|that|this)|mov(?:e|ing) (?:the|it|that|this) |us(?:e|ing) |hir(?:e|ing)|cut(?:ting)?)\b/i
const NO_PROPOSAL =
  /\b(?:next (?:topic|item|point|slide|question|agenda)|the (?:chat|rest of|remaining)|this (?:time|chance|moment|opportunity|meeting to)|the (?:flow|chance|moment|opportunity)|with (?:my|him|her|them|you)|the conversation|the discussion|it (?:short|brief|quick|simple|on the table)|that (?:aside|for now|discussion)|off the call|into that|on to|the meeting to a close)\b/i

const UNDECIDED =
  /\b(?:haven't|have not|hasn't|didn't|did not|don't|not yet|yet to|can't|cannot|need to|needs to|have to|has to|must|should|could|if|before|until|once|when|whether|who|how) (?:we |you |they |be )*(?:\w+ )?(?:decid|agree|settl|go with|resolv)/i
const LONG_PAST =
  /\b(?:last (?:year|quarter|month|time)|(?:years?|months|a while) ago|back (?:then|in)|originally|at the time|used to)\b/i

const ANSWER_SENTENCES = 3
const ANSWER_SECONDS = 20

/** What was decided: said so, or proposed by one and agreed to by another. */
export const findDecisions = (sentences: readonly Sentence[]): Finding[] =>
  sentences.flatMap((sentence, index) => {
    const text = plain(sentence.text)
    if (text.endsWith('?') || UNDECIDED.test(text) || LONG_PAST.test(text) || SUPPOSED.test(text)) return []
    const finding = { text: tidy(sentence.text), speaker: sentence.speaker }
    const answers = listAnswers(sentences, index)
    if (answers.some(({ text }) => DISAGREES.test(plain(text)))) return []
    const motion = CARRIED.test(text) ? findMotion(sentences, index) : undefined
    if (motion) {
      const { speaker } = motion
      return [{ ...joinCitations([motion, sentence]), text: `${tidy(motion.text)} ${finding.text}`, speaker }]
    }
    if (STATED.test(text)) return [{ ...joinCitations([sentence]), ...finding }]
    const isProposed = splitClauses(text).some((clause) => PROPOSED.test(clause) && !NO_PROPOSAL.test(clause))
    const assent = answers.find(({ text }) => AGREES.test(plain(text)))
    return isProposed && assent ? [{ ...joinCitations([sentence, assent]), ...finding }] : []
  })

/** "The motion is carried" says nothing without the motion. */
const CARRIED = /\b(?:motion|proposal)\b.*\b(?:carried|carries|passes|passed|approved|accepted)\b/i
const MOVES = /\b(?:I(?:'d like to)? (?:move|propose) (?:that|to|we)|motion (?:is )?(?:to|that))\b/i
const MOTION_SENTENCES = 12

const findMotion = (sentences: readonly Sentence[], index: number): Sentence | undefined =>
  sentences.slice(Math.max(0, index - MOTION_SENTENCES), index).findLast(({ text }) => MOVES.test(plain(text)))

/** What others say right after. */
const listAnswers = (sentences: readonly Sentence[], index: number): Sentence[] => {
  const { speaker, endSeconds } = sentences[index] as Sentence
  return sentences
    .slice(index + 1, index + 1 + ANSWER_SENTENCES)
    .filter(
      (other) =>
        other.speaker !== null && other.speaker !== speaker && other.startSeconds - endSeconds <= ANSWER_SECONDS,
    )
}

const tidy = (text: string): string => (dropFillers(text).trim() || text).replace(/^./u, (char) => char.toUpperCase())
