import { defineCapability } from '../../core/catalog.ts'
import { artifactPath } from '../shared/artifact-path.ts'
import { writeJsonFile } from '../shared/json-file.ts'
import { passwordOption } from '../shared/password-option.ts'
import { readOdf } from './reader/read-document.ts'

/** What reviewers said and did. */
export const comments = defineCapability({
  id: 'opendocument.comments',
  output: 'comments',
  defaultSelected: false,
  detail:
    'JSON: comments with author, date, answers and the text they are about; tracked changes with author and date.',
  options: { password: passwordOption },
  async *extract(source, { password }, context) {
    const { comments: found, changes } = await readOdf(source, context, password)
    if (found.length === 0 && changes.length === 0) return
    const data = writeJsonFile({ comments: found, changes })
    yield { path: artifactPath(source, 'comments', 'json'), mediaType: 'application/json', data }
  },
})
