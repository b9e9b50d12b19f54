/** Somebody says that the matter changes. */
export const TOPIC_CHANGE =
  /\b(?:let's (?:move on|turn to|go on to|switch to|jump to)|moving on|(?:the |our |my )?(?:next|last|final|first|second|third) (?:item|topic|thing on|point on|question on|agenda)|next up|turning to|on to the (?:next|last)|another (?:topic|item))\b/i

const FILLERS =
  /^(?:(?:um+|uh+|er|hmm+|mm|oh|okay|ok|yeah|yes|yep|yup|sure|right|well|so|and|but|then|now|alright|all right|great|cool|perfect|fine|good|no problem|of course|absolutely|definitely|thanks|thank you|i mean|you know|like|actually|basically|in that case|sounds good)\b[,.!]?\s*)+/i

/** A sentence or clause without the words that only lead up to it. */
export const dropFillers = (text: string): string => text.replace(FILLERS, '')

/** Curly apostrophes are straight in every rule. */
export const plain = (text: string): string => text.replaceAll('’', "'")

/** A sentence without hesitation and words said twice. */
export const smooth = (text: string): string =>
  plain(text)
    .replace(/(?:,\s*)?\b(?:um+|uh+|erm?|you know|i mean)\b(?:,\s*|\s+|(?=[.?!]))/gi, ' ')
    .replace(/\b(\p{L}+),? \1\b/giu, '$1')
    .replace(/\s+/g, ' ')
    .trim()

/** Parts of a sentence that can stand for themselves. */
export const splitClauses = (text: string): string[] =>
  smooth(text)
    .split(/[,;:–—]\s+|\s+(?=(?:and|but|so|then)\s+(?:I|we|you|he|she|they|let's|I'll|we'll)\b)/)
    .map((clause) => dropFillers(clause.trim()).replace(/\s+(?:and|but|so|then)$/i, ''))
    .filter((clause) => clause !== '')

/** Assent to what was just said. */
export const AGREES =
  /^(?:(?:um+|uh+|oh|okay|well)[,.]?\s+)*(?:yes|yeah|yep|yup|sure|okay|ok|agreed|i agree|sounds (?:good|great|fine|right)|of course|absolutely|definitely|will do|no problem|works for me|fine (?:by|with) me|that works|perfect|great|got it|can do|happy to|you got it|on it|i'm fine with|i can (?:do|take|handle)|i'll (?:do|take|handle)|i'll get|let's do (?:it|that))\b/i

/** Dissent, or doubt, about what was just said. */
export const DISAGREES =
  /^(?:(?:um+|uh+|oh|okay|well|yeah|hmm+)[,.]?\s+)*(?:no\b(?! problem)|nope|i (?:don't|do not|can't|cannot|won't) |not (?:sure|really|so fast|yet)|i disagree|i'm not (?:sure|convinced|comfortable)|but |wait|hold on|actually[, ]+(?:no|i)|unfortunately|that (?:won't|doesn't|wouldn't) )/i

/** Somebody does not know. */
export const DOES_NOT_KNOW =
  /\b(?:i (?:don't|do not) know|don't know yet|not sure|no idea|good question|i'd have to check|i would have to check|have to (?:check|find out|figure)|need to (?:check|find out|figure)|let me (?:check|find out|get back)|get back to you|to be determined|tbd|hard to say|no answer|we'll see|remains to be seen|nobody knows|no one knows|can't say yet|depends on)\b/i

/** A matter is put off. */
export const PUT_OFF =
  /\b(?:take (?:that|this|it) offline|come back to (?:that|this|it)|park (?:that|this|it)|parking lot|revisit (?:that|this|it)|leave (?:that|this|it) open|still open|table (?:that|this|it))\b/i

/** Not about this meeting's own plans: supposed, habitual, long past. */
export const SUPPOSED =
  /\b(?:would have|could have|should have|might|maybe|perhaps|hypothetically|whenever|every time|usually|normally|typically|in theory|for example|imagine|suppose|as if|used to)\b/i
