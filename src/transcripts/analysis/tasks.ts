/** Groups that tasks are given to. */
export const TEAMS =
  'marketing|engineering|sales|legal|finance|design|support|product|operations|ops|security|procurement|accounting|HR|IT|QA'

/** Verbs of work that is done after a meeting. What people do while they talk (share a screen, say, start) is not here. */
const VERBS =
  `send|e-?mail|mail|forward|write|draft|prepare|review|check (?:with|on|in with|the|whether|if|our|that|it)|follow up|set up|
schedule|reschedule|update|fix|create|share|call|phone|reach out|talk (?:to|with)|speak (?:to|with)|look into|look at|investigate|finish|
complete|book|order|organi[sz]e|test|deploy|file|contact|get back|ping|circulate|put together|put in|take care of|handle|submit|document|
publish|merge|upload|confirm|arrange|coordinate|compile|sign|print|buy|purchase|hire|interview|circle back|sync (?:with|up)|migrate|
remove|refactor|open (?:a|the) (?:ticket|issue|case|bug|request)|close (?:the|out)|work on|build|implement|deliver|clean up|rewrite|revise|
finali[sz]e|provide|produce|research|find out|figure out|gather|collect|ask|invite|notify|inform|let \\w+(?: \\w+)? know|add|double[- ]check|
verify|measure|run (?:the|a|some)|pull (?:the|together|some)|push (?:the|a)|post|make sure|make an? (?:list|note|copy|plan|ticket|draft|deck|
booking|appointment)|make the (?:changes?|updates?|edits?|slides?|bookings?|calls?)|do (?:that|this|it|the)|take (?:that|this|it|the|on|over)|
get (?:you the|a quote|quotes|in touch|approval|the (?:numbers|report|data|draft|documents?|contract|approval|quotes?|figures|details|list|slides|info|information|team))|get (?:it|that|this) (?:done|fixed|to|over|out|ready)|bring|cancel|renew|register|train|onboard|reply|respond|report back|assign|log|track down|
chase|escalate|apply for|translate|design|plan|propose|outline|summari[sz]e|visit|meet with|negotiate|pay|invoice|ship|install|configure|replace|
restore|archive|raise (?:a|an|the|it|this|that)|own|lead|pick up|turn (?:it|that|this) into`.replace(/\s*\n\s*/g, '')

const TASK = new RegExp(`^(${VERBS})\\b(.*)$`, 'i')

/** Said of the talk itself, not of work. */
const TALK =
  /^(?:share (?:my|the|your) screen|send (?:my|our) (?:regards|love|best)|share (?:something|a (?:story|thought|few))|add (?:that|to that|one|just|something|a (?:point|comment))|ask (?:you|a question|one|everyone|everybody|the question|people to mute)|call (?:it|this|that|out)|take (?:that|this|it) (?:back|as|personally)|take the (?:blame|opportunity|next|floor|first)|do (?:it|that|this|the) (?:again|now|first|quickly|intro\w*)|get (?:that|the (?:idea|point|feeling|sense))|get (?:an?|the) (?:sense|idea|feel)|look at (?:it|this|that|the) (?:from|as|now|next|another)|make sure (?:I|that I|we're|that we're|everyone|everybody)|put in (?:perspective|context)|let you (?:know (?:that|how|what)|go|all|guys|finish|speak|continue)|own (?:that|it|up)|bring (?:up|us|you|that up|this up)|write (?:that|this|it) down|post (?:it|this|that|the link) in|lead with|plan on|add on|pick up (?:on|where)|check (?:that|it|the (?:time|chat)) (?:now|real|quick)|run (?:the|a|some) numbers (?:now|real))\b/i

/** Done while the others watch. */
const AT_ONCE = /\b(?:now|real quick|in a (?:moment|minute|second)|at this point)[.!?]*$/i

/** What is done is only pointed at: what it is was said before. */
const REFERENCE =
  /^(?:to |on |of |into |at |care of |with |up |out |over )*(?:that|this|it|them|those|both)(?: one| up| out| over| on| too| then| myself| today| tonight| tomorrow| right away| by\b.*| before\b.*| on \w+day\b.*| this (?:week|afternoon|evening|morning)| next week| if you (?:want|like))*[.!]?$/i

/** The work that the rest of "I'll …" or "can you …" names, or nothing. */
export const matchTask = (rest: string): { verb: string; isReference: boolean } | null => {
  const text = rest.trim()
  const found = TASK.exec(text)
  if (found === null || TALK.test(text) || AT_ONCE.test(text)) return null
  const [, verb = '', object = ''] = found
  const words = verb.split(' ')
  // The object may have been taken into the verb: "do that".
  const last = words.at(-1) ?? ''
  const target = /^(?:that|this|it)$/i.test(last) ? `${last}${object}` : object.trim()
  const isReference = REFERENCE.test(target.trim())
  if (!isReference && target.replace(/[.!?]/g, '').trim() === '') return null
  return { verb: (words[0] ?? '').toLowerCase(), isReference }
}
