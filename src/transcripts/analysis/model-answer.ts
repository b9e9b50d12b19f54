import { z } from 'zod'
import type { Transcript } from '../model.ts'
import { cleanText } from '../writers/clean-text.ts'
import { segmentTimes } from '../writers/timed-tokens.ts'
import type { ActionItem, Citation, Finding, Topic } from './model.ts'

const text = z.string().max(2_000)
const segmentIds = z.array(z.number().int()).max(5_000)
const finding = z.object({ text, segmentIds })

/** What a model is to answer about a stretch of a meeting. */
export const ANSWER = z.object({
  summary: z.array(finding).max(50),
  topics: z.array(z.object({ label: text, keywords: z.array(text).max(20), segmentIds })).max(50),
  decisions: z.array(finding).max(100),
  actionItems: z
    .array(finding.extend({ owner: text.nullable(), dueText: text.nullable(), dueDate: text.nullable() }))
    .max(100),
  openQuestions: z.array(finding).max(100),
  keyQuotes: z.array(finding).max(50),
})

/** The schema of the answer, for an endpoint that holds a model to one: every field required, no others. */
export const ANSWER_SCHEMA: Readonly<Record<string, unknown>> = z.toJSONSchema(ANSWER, {
  override: ({ jsonSchema }) => {
    // Endpoints refuse what they do not enforce.
    for (const limit of ['maxLength', 'maxItems', 'minimum', 'maximum'] as const) delete jsonSchema[limit]
  },
})

/** What a model found, as far as the transcript bears it out. */
export type CheckedAnswer = {
  summary: Finding[]
  topics: Topic[]
  decisions: Finding[]
  actionItems: ActionItem[]
  openQuestions: Finding[]
  keyQuotes: Finding[]
  /** How much was left out because it cited nothing that was said, or quoted what was not. */
  droppedCount: number
}

/** Reads the answer of a model; null where it is not the JSON that was asked for. */
export const readAnswer = (answer: string): z.infer<typeof ANSWER> | null => {
  try {
    // Some put the object into a block of code, whatever they are told.
    const json = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)
    return ANSWER.parse(JSON.parse(json))
  } catch {
    return null
  }
}

/** Keeps what cites segments of the stretch that the model was shown, with the times and speakers of these. */
export const checkAnswer = (
  answer: z.infer<typeof ANSWER>,
  { segments }: Pick<Transcript, 'segments'>,
  shownIds: ReadonlySet<number>,
): CheckedAnswer => {
  const byId = new Map(segments.map((segment) => [segment.id, segment]))
  let droppedCount = 0

  const cite = (ids: readonly number[]): (Citation & { speaker: string | null; said: string }) | null => {
    const known = [...new Set(ids)].sort((a, b) => a - b)
    const cited = known.flatMap((id) => (shownIds.has(id) ? (byId.get(id) ?? []) : []))
    const [first] = cited
    // One invented citation makes the whole item doubtful.
    if (first === undefined || cited.length !== known.length) {
      droppedCount++
      return null
    }
    const times = cited.map(segmentTimes)
    return {
      segmentIds: known,
      startSeconds: Math.min(...times.map(({ startSeconds }) => startSeconds)),
      endSeconds: Math.max(...times.map(({ endSeconds }) => endSeconds)),
      speaker: cleanText(first.speaker ?? '') || null,
      said: cited.map(({ text }) => text).join(' '),
    }
  }
  const check = <T extends { segmentIds: readonly number[] }, R>(
    items: readonly T[],
    make: (item: T, citation: Citation & { speaker: string | null }) => R | null,
    accept: (item: T, said: string) => boolean = () => true,
  ): R[] =>
    items.flatMap((item) => {
      const cited = cite(item.segmentIds)
      if (cited === null) return []
      const { said, ...citation } = cited
      if (accept(item, said)) return make(item, citation) ?? []
      droppedCount++
      return []
    })
  const toFinding = ({ text }: { text: string }, citation: Citation & { speaker: string | null }): Finding | null =>
    cleanText(text) === '' ? null : { ...citation, text: cleanText(text) }

  const checked = {
    summary: check(answer.summary, toFinding),
    topics: check(answer.topics, ({ label, keywords }, { speaker: _speaker, ...citation }): Topic | null =>
      cleanText(label) === ''
        ? null
        : { ...citation, label: cleanText(label), keywords: keywords.map(cleanText).filter((word) => word !== '') },
    ),
    decisions: check(answer.decisions, toFinding),
    actionItems: check(answer.actionItems, (item, citation): ActionItem | null => {
      const found = toFinding(item, citation)
      const dueText = cleanText(item.dueText ?? '')
      const date = /^\d{4}-\d{2}-\d{2}$/.test(item.dueDate ?? '') ? item.dueDate : null
      return (
        found && {
          ...found,
          owner: cleanText(item.owner ?? '') || null,
          due: dueText === '' && date === null ? null : { text: dueText || (date ?? ''), date },
        }
      )
    }),
    openQuestions: check(answer.openQuestions, toFinding),
    keyQuotes: check(answer.keyQuotes, toFinding, ({ text }, said) => bare(said).includes(bare(text))),
  }
  return { ...checked, droppedCount }
}

/** The letters and digits of a text: a quote may differ in marks and spaces, not in words. */
const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
