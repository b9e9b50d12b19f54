import type { Transcript } from '../model.ts'
import { primaryLanguage } from '../writers/language.ts'
import { makeFindDueDate } from './due-dates.ts'
import { findActions } from './find-actions.ts'
import { findDecisions } from './find-decisions.ts'
import { findQuestions } from './find-questions.ts'
import { findTopics } from './find-topics.ts'
import { measureSpeakers } from './measure-speakers.ts'
import type { ActionItem, Citation, Finding, MeetingAnalysis } from './model.ts'
import { learnNames } from './names.ts'
import { rankSentences, weighTerms } from './rank-sentences.ts'
import { readSentences, type Sentence } from './sentences.ts'
import { chooseQuotes, summarize } from './summarize.ts'
import { readTerms } from './terms.ts'
import { buildTimeline } from './timeline.ts'

export type AnalysisOptions = {
  /** The day of the meeting: "by Friday" becomes a date. */
  referenceDate?: Date | null
}

/** How much more a sentence counts in the summary if something was decided or taken on in it. */
const MATTERS = 1.5

/** What a meeting came to, by rules and statistics alone: the same transcript always gives the same. */
export const analyzeMeeting = async (
  transcript: Transcript,
  { referenceDate = null }: AnalysisOptions = {},
): Promise<MeetingAnalysis> => {
  const isEnglish = primaryLanguage(transcript.language) === 'en'
  const sentences = readSentences(transcript)
  const terms = readTerms(sentences, transcript.language)
  const vectors = weighTerms(terms)
  const ranks = rankSentences(vectors)
  const topics = findTopics(sentences, terms, vectors, isEnglish)
  const decisions = isEnglish ? findDecisions(sentences) : []
  const actionItems = isEnglish ? await findTasks(sentences, referenceDate) : []
  const openQuestions = isEnglish ? findQuestions(sentences) : []
  const ranked = { sentences, vectors, ranks, topics, isEnglish }
  const weights = new Map(findSentences(sentences, [...decisions, ...actionItems]).map((index) => [index, MATTERS]))
  const summary = summarize(ranked, weights)
  const keyQuotes = chooseQuotes(ranked, new Set(findSentences(sentences, [...summary, ...decisions, ...actionItems])))
  const speakers = measureSpeakers(transcript)
  const found = { topics, decisions, actionItems, openQuestions }
  return {
    method: 'heuristic',
    language: transcript.language,
    durationSeconds: transcript.durationSeconds,
    summary,
    ...found,
    keyQuotes,
    speakers,
    timeline: buildTimeline(found),
    notes: [
      'Found by rules and statistics over the transcript; read the cited segments before you rely on it.',
      ...(isEnglish ? [] : ['Decisions, action items and open questions are looked for in English only.']),
      ...(speakers.length === 0 ? ['Speakers were not told apart, so there are no figures about them.'] : []),
    ],
  }
}

const findTasks = async (sentences: readonly Sentence[], referenceDate: Date | null): Promise<ActionItem[]> => {
  const [isName, findDueDate] = await Promise.all([learnNames(sentences), makeFindDueDate(referenceDate)])
  return findActions(sentences, { isName, findDueDate })
}

/** Indexes of the sentences in whose words something was found. */
const findSentences = (
  sentences: readonly Sentence[],
  findings: readonly (Citation & Pick<Finding, 'text'>)[],
): number[] =>
  sentences.flatMap(({ segmentIds, text }, index) => {
    const isCited = findings.some(
      (finding) =>
        finding.segmentIds.some((id) => segmentIds.includes(id)) && finding.text.slice(-12) === text.slice(-12),
    )
    return isCited ? [index] : []
  })
