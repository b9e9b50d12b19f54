import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import type { OutputFile } from '../../../../src/jobs/records.ts'
import { Loading } from '../../design/feedback.tsx'
import { formatNumber } from '../../design/format.ts'
import { type Tab, Tabs } from '../../design/tabs.tsx'
import { CsvView } from './csv-view.tsx'
import { DetailsView } from './details-view.tsx'
import type { ResultSource } from './file-address.ts'
import { FileChooser } from './file-chooser.tsx'
import { FileTree } from './file-tree.tsx'
import { FilmView } from './film-view.tsx'
import { Gallery } from './gallery.tsx'
import { JsonView } from './json-view.tsx'
import { MeetingView } from './meeting-view.tsx'
import { PageFrame } from './page-frame.tsx'
import { Result } from './result-context.ts'
import { sortFiles, type View, type ViewId } from './sort-files.ts'
import { SoundView } from './sound-view.tsx'
import { SubtitlesView } from './subtitles-view.tsx'
import { TextView } from './text-view.tsx'
import { TranscriptView } from './transcript-view.tsx'

const MarkdownView = lazy(() => import('./markdown-view.tsx').then(({ MarkdownView }) => ({ default: MarkdownView })))

const LABELS: Readonly<Record<ViewId, string>> = {
  meeting: 'Meeting',
  transcript: 'Transcript',
  document: 'Document',
  text: 'Text',
  tables: 'Tables',
  images: 'Images',
  frames: 'Frames',
  sound: 'Sound',
  film: 'Video',
  subtitles: 'Subtitles',
  pages: 'Pages',
  data: 'Data',
  files: 'All files',
  details: 'Details',
}
/** Where more than one file is shown at a time, or none in particular, how many there are is no news. */
const COUNTED: ReadonlySet<ViewId> = new Set(['images', 'frames', 'tables', 'files'])

/** A look into a result, by what is in it. */
export const ResultView = ({
  files,
  category,
  source,
  recording,
}: {
  files: readonly OutputFile[]
  category: string
  source: ResultSource
  recording?: Blob | undefined
}) => {
  const views = useMemo(() => sortFiles(files, category), [files, category])
  const result = useMemo(() => ({ source, files }), [source, files])
  const tabs: Tab[] = views.map((view) => ({
    id: view.id,
    label: COUNTED.has(view.id) ? `${LABELS[view.id]} (${formatNumber(view.files.length)})` : LABELS[view.id],
    content: () => <Suspense fallback={<Loading />}>{showView(view, recording)}</Suspense>,
  }))
  return (
    <Result value={result}>
      <section aria-label="A look into the result">
        <Tabs label="What came out" tabs={tabs} />
      </section>
    </Result>
  )
}

const showView = ({ id, files }: View, recording: Blob | undefined): ReactNode => {
  switch (id) {
    case 'meeting':
      return <MeetingView file={files[0] as OutputFile} />
    case 'transcript':
      return <TranscriptView files={files} recording={recording} />
    case 'document':
      return <FileChooser files={files}>{(file) => <MarkdownView file={file} />}</FileChooser>
    case 'text':
      return <FileChooser files={files}>{(file) => <TextView file={file} />}</FileChooser>
    case 'tables':
      return <FileChooser files={files}>{(file) => <CsvView file={file} />}</FileChooser>
    case 'images':
    case 'frames':
      return <Gallery key={id} files={files} />
    case 'sound':
      return <SoundView files={files} />
    case 'film':
      return <FilmView files={files} />
    case 'subtitles':
      return <FileChooser files={files}>{(file) => <SubtitlesView file={file} />}</FileChooser>
    case 'pages':
      return <FileChooser files={files}>{(file) => <PageFrame file={file} />}</FileChooser>
    case 'data':
      return <FileChooser files={files}>{(file) => <JsonView file={file} />}</FileChooser>
    case 'files':
      return <FileTree files={files} />
    case 'details':
      return <DetailsView />
  }
}
