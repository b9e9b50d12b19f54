import type { OutputFile } from '../../../../src/jobs/records.ts'
import { FileLink } from './file-link.tsx'
import { useFileAddress } from './result-context.ts'

/** Films, each with its player. */
export const FilmView = ({ files }: { files: readonly OutputFile[] }) => {
  const address = useFileAddress()
  return (
    <div className="grid">
      {files.map(({ path }) => (
        <figure key={path} className="card">
          {/* biome-ignore lint/a11y/useMediaCaption: what came out of a file has the captions it has */}
          <video controls preload="metadata" src={address(path)} aria-label={path} />
          <figcaption className="small">
            <FileLink path={path} />
          </figcaption>
        </figure>
      ))}
    </div>
  )
}
