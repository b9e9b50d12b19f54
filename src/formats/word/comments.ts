import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { passwordOption } from '../shared/password-option.ts'
import { asDocx } from './legacy/as-docx.ts'
import { readWord } from './reader/read-document.ts'

/** What reviewers said and did. */
export const comments = defineCapability({
  id: 'word.comments',
  output: 'comments',
  defaultSelected: false,
  detail:
    'JSON: comments with author, date, answers and the text they are about; tracked changes with author and date.',
  options: { password: passwordOption },
  async *extract(source, { password }, context) {
    const { comments: found, changes } = await readWord(await asDocx(source, context, password), context)
    if (found.length === 0 && changes.length === 0) return
    const data = writeJsonFile({ comments: found, changes })
    yield { path: artifactPath(source, 'comments', 'json'), mediaType: 'application/json', data }
  },
})
