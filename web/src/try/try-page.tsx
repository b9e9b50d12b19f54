import { useState } from 'react'
import { splitFileName } from '../../../src/core/artifact-names.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Button } from '../design/button.tsx'
import { ErrorNotice, Loading, Notice } from '../design/feedback.tsx'
import { useSession } from '../session/session.tsx'
import { useTitle } from '../site.tsx'
import { Allowance } from './allowance.tsx'
import { Bench } from './bench.tsx'
import { ChosenFile } from './chosen-file.tsx'
import { findDraft } from './draft.ts'
import { DropZone } from './drop-zone.tsx'
import type { Descriptor, FormState, SupportedFormat } from './form-state.ts'
import styles from './try.module.css'
import { FormatList, Unsupported } from './unsupported.tsx'
import { type FilePick, useFileDrop } from './use-file-drop.ts'

type Schema = { formats: SupportedFormat[] }

type Chosen = { file: File; form: FormState | undefined }

/** The first page: a file in, a price, a job. */
export const TryPage = () => {
  useTitle('Quarry')
  const { me, error: sessionError } = useSession()
  const { data: schema, error: schemaError, reload } = useAnswer<Schema>('/web/schema')
  const [chosen, setChosen] = useState<Chosen | undefined>(() => {
    const draft = findDraft()
    return draft && { file: draft.file, form: draft.form }
  })
  const [complaint, setComplaint] = useState('')
  const pick: FilePick = (files) => {
    const [file] = files
    const problem = problemOf(files)
    setComplaint(problem)
    if (problem === '' && typeof file === 'object') setChosen({ file, form: undefined })
  }
  const isOver = useFileDrop(pick)
  const error = schemaError ?? sessionError
  return (
    <div className="stack">
      <div className={styles.intro}>
        <h1>Extract what a file holds</h1>
        {!chosen && <p>One file in, one ZIP out: text, tables, pictures, sound, subtitles and transcripts.</p>}
      </div>
      <div role="status" className={complaint === '' ? 'visually-hidden' : undefined}>
        {complaint !== '' && <Notice tone="warning">{complaint}</Notice>}
      </div>
      {error !== undefined && !schema && (
        <>
          <ErrorNotice error={error} />
          <div>
            <Button onClick={reload}>Try again</Button>
          </div>
        </>
      )}
      {chosen ? (
        <ChosenBench
          key={keyOf(chosen.file)}
          chosen={chosen}
          formats={schema?.formats}
          onAnother={() => setChosen(undefined)}
        />
      ) : (
        <DropZone isOver={isOver} pick={pick} />
      )}
      {me && <Allowance me={me} />}
      {!chosen && schema && <FormatList />}
    </div>
  )
}

/** Each choice begins anew, also of the same file. */
const keys = new WeakMap<File, number>()
let nextKey = 0
const keyOf = (file: File): number => {
  const key = keys.get(file) ?? ++nextKey
  keys.set(file, key)
  return key
}

const problemOf = (files: readonly File[] | 'folder'): string => {
  if (files === 'folder') return 'A folder cannot be sent. Put it into a ZIP first.'
  if (files.length > 1) return `One file at a time: these are ${files.length}.`
  return files[0]?.size === 0 ? `${files[0].name} is empty.` : ''
}

const ChosenBench = ({
  chosen: { file, form },
  formats,
  onAnother,
}: {
  chosen: Chosen
  formats: readonly SupportedFormat[] | undefined
  onAnother(): void
}) => {
  const { extension } = splitFileName(file.name)
  const format = formats?.find((each) => each.extension === extension)
  const {
    data: descriptor,
    error,
    reload,
  } = useAnswer<Descriptor>(format ? `/web/options/${encodeURIComponent(extension)}` : null)
  if (format && descriptor) {
    return <Bench file={file} format={format} descriptor={descriptor} givenForm={form} onAnother={onAnother} />
  }
  return (
    <>
      <ChosenFile file={file} extension={extension} isBusy={false} onAnother={onAnother} />
      {formats && !format && (
        <>
          <Unsupported extension={extension} />
          <FormatList />
        </>
      )}
      {error !== undefined && (
        <>
          <ErrorNotice error={error} />
          <div>
            <Button onClick={reload}>Try again</Button>
          </div>
        </>
      )}
      {error === undefined && (!formats || format) && <Loading what="Looking up the format" />}
    </>
  )
}
