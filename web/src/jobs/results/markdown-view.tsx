import { useId, useMemo } from 'react'
import type { OutputFile } from '../../../../src/jobs/records.ts'
import { ErrorNotice, Loading } from '../../design/feedback.tsx'
import { CutNote } from './cut-note.tsx'
import styles from './markdown.module.css'
import { markdownToHtml } from './markdown-html.ts'
import { useText } from './read-text.ts'
import { resolvePath } from './resolve-path.ts'
import { useFileAddress, useHasFile } from './result-context.ts'
import { showHtml } from './show-html.tsx'
import { kindOf } from './sort-files.ts'

const MAX_BYTES = 300_000

/** A document of Markdown, with its pictures and tables. */
export const MarkdownView = ({ file }: { file: OutputFile }) => {
  const address = useFileAddress()
  const hasFile = useHasFile()
  const idPrefix = `${useId()}-`
  const { read, error } = useText(address(file.path), MAX_BYTES)
  const shown = useMemo(() => {
    if (!read) return undefined
    const find = (reference: string): string | undefined => {
      const path = resolvePath(file.path, reference)
      return path !== undefined && hasFile(path) ? path : undefined
    }
    const locate = (path: string | undefined) => (path === undefined ? undefined : address(path))
    return showHtml(markdownToHtml(read.text), {
      imageAddress: (reference) => {
        const path = find(reference)
        return path !== undefined && kindOf(path) === 'image' ? address(path) : undefined
      },
      fileAddress: (reference) => locate(find(reference)),
      idPrefix,
    })
  }, [read, file.path, address, hasFile, idPrefix])
  if (error !== undefined) return <ErrorNotice error={error} />
  if (!read) return <Loading />
  return (
    <div className="stack">
      {read.isCut && <CutNote file={file} shownBytes={MAX_BYTES} />}
      <article
        className={`card ${styles.document}`}
        dir={directionOf(read.text)}
        aria-label={`The document ${file.path}`}
      >
        {shown}
      </article>
    </div>
  )
}

/** The direction of the first letter; `dir="auto"` would not look into the paragraphs, which have their own. */
const directionOf = (text: string): 'rtl' | 'ltr' => {
  const letter = /\p{L}/u.exec(text)?.[0] ?? ''
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(letter)
    ? 'rtl'
    : 'ltr'
}
