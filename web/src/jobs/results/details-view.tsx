import { Fact, Facts } from '../../design/facts.tsx'
import { ErrorNotice, Loading, Notice } from '../../design/feedback.tsx'
import { formatBytes } from '../../design/format.ts'
import { Table } from '../../design/table.tsx'
import { JsonTree } from './json-tree.tsx'
import styles from './result.module.css'
import { useManifest } from './result-context.ts'

/** What the manifest says: the source, the engines, what was asked for and what was not found. */
export const DetailsView = () => {
  const { data, error } = useManifest()
  if (error !== undefined) return <ErrorNotice error={error} />
  if (!data) return <Loading />
  const { source, service, engines, options, warnings } = data
  return (
    <div className="stack">
      <Facts look="card">
        <Fact name="Source" className="file-name">
          {source.fileName}
        </Fact>
        <Fact name="Size">{formatBytes(source.bytes)}</Fact>
        <Fact name="SHA-256" className="mono">
          {source.sha256}
        </Fact>
        <Fact name="Made by">
          {service.name} {service.version}
        </Fact>
        <Fact name="Asked for">{options.selectedCapabilities.join(', ')}</Fact>
      </Facts>
      {engines.length > 0 && (
        <Table
          label="Engines"
          columns={[
            { name: 'Engine', cell: ({ name }) => name },
            { name: 'Version', cell: ({ version }) => version },
          ]}
          rows={engines}
          keyOf={({ name }) => name}
        />
      )}
      {warnings.map(({ code, detail }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <Notice key={index} tone="warning">
          {detail} <code>{code}</code>
        </Notice>
      ))}
      <div className={`card ${styles.tree}`}>
        <JsonTree name="options" value={options.capabilityOptions} />
      </div>
    </div>
  )
}
