import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../../core/catalog.ts'
import type { Complete } from '../../../transcripts/analysis/analyze-with-model.ts'

/** Asks the language model that the service offers; the question goes as a file, because it may be long. */
export const askModel = (context: Context): Complete => {
  let asked = 0
  return async (messages, schema) => {
    asked += 1
    const file = join(context.scratch, `model-question-${asked}.json`)
    await writeFile(file, JSON.stringify({ messages, schema }))
    const answer = (await context.outside?.ask({ kind: 'complete' }, file)) ?? { failure: 'not_offered' }
    if ('failure' in answer) throw new Error(answer.failure)
    if (typeof answer.value !== 'string') throw new Error('bad_answer')
    return answer.value
  }
}
