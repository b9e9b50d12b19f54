import { useFileAddress } from './result-context.ts'
import { kindOf, nameOf } from './sort-files.ts'

/** A link to one file: what a browser shows opens beside, the rest is downloaded. */
export const FileLink = ({ path, label }: { path: string; label?: string }) => {
  const address = useFileAddress()
  const isShown = !['document', 'other'].includes(kindOf(path))
  return (
    <a
      className="file-name"
      href={address(path)}
      {...(isShown ? { target: '_blank', rel: 'noopener noreferrer' } : { download: nameOf(path) })}
    >
      {label ?? path}
    </a>
  )
}
