import { useMemo, useState } from 'react'
import type { OutputFile } from '../../../../src/jobs/records.ts'
import { Button } from '../../design/button.tsx'
import { formatBytes, formatDuration, formatNumber } from '../../design/format.ts'
import styles from './gallery.module.css'
import { Lightbox, type Picture } from './lightbox.tsx'
import { type ManifestArtifact, useFileAddress, useManifest } from './result-context.ts'
import { nameOf } from './sort-files.ts'

const PAGE = 60

/** Pictures side by side; each opens large. */
export const Gallery = ({ files }: { files: readonly OutputFile[] }) => {
  const address = useFileAddress()
  const { data: manifest } = useManifest()
  const [shown, setShown] = useState(PAGE)
  const [openIndex, setOpenIndex] = useState<number>()
  const pictures = useMemo(() => {
    const origins = new Map(manifest?.artifacts.map(({ path, provenance }) => [path, provenance]))
    return files.map((file): Picture => {
      const place = describePlace(file.path, origins.get(file.path))
      const name = nameOf(file.path)
      return {
        path: file.path,
        address: address(file.path),
        alt: place ? `${name}, ${place}` : name,
        caption: [place, formatBytes(file.bytes)].filter(Boolean).join(' · '),
      }
    })
  }, [files, manifest, address])
  return (
    <div className="stack">
      <ul className={styles.gallery}>
        {pictures.slice(0, shown).map((picture, index) => (
          <li key={picture.path}>
            <button type="button" onClick={() => setOpenIndex(index)}>
              <img src={picture.address} alt={picture.alt} loading="lazy" decoding="async" />
            </button>
            <span className={`small file-name ${styles.name}`}>{nameOf(picture.path)}</span>
            <span className="muted small">{picture.caption}</span>
          </li>
        ))}
      </ul>
      {pictures.length > shown && (
        <p>
          <Button onClick={() => setShown(shown + PAGE)}>
            Show more ({formatNumber(pictures.length - shown)} of {formatNumber(pictures.length)})
          </Button>
        </p>
      )}
      {openIndex !== undefined && (
        <Lightbox pictures={pictures} index={openIndex} onMove={setOpenIndex} onClose={() => setOpenIndex(undefined)} />
      )}
    </div>
  )
}

/** Where in the source a picture is from; frames have their times in their names too. */
const describePlace = (path: string, origin: ManifestArtifact['provenance'] | undefined): string => {
  const timeSeconds = origin?.timeSeconds ?? readTime(path)
  if (timeSeconds !== undefined) return formatDuration(timeSeconds)
  if (origin?.page !== undefined) return `page ${origin.page}`
  if (origin?.slide !== undefined) return `slide ${origin.slide}`
  return origin?.sheet ? `sheet ${origin.sheet}` : ''
}

const readTime = (path: string): number | undefined => {
  const clock = /-(\d{2,})h(\d{2})m(\d{2}\.\d{3})s\.[a-z]+$/.exec(path)
  return clock ? Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3]) : undefined
}
