import { Link } from 'wouter'
import { useAnswer } from '../api/use-answer.ts'
import { ErrorNotice, Loading } from '../design/feedback.tsx'
import { Table } from '../design/table.tsx'
import { type Extractor, type Extractors, formatPath, groupAddOns, rateWords } from './catalog.ts'

/** The terms of every family, as they hold on this service. */
export const PriceList = () => {
  const { data, error } = useAnswer<Extractors>('/web/extractors')
  if (!data) return error === undefined ? <Loading /> : <ErrorNotice error={error} />
  return (
    <Table
      label="All prices"
      rows={data.extractors}
      keyOf={({ extractor }) => extractor}
      columns={[
        {
          name: 'Family',
          cell: ({ extractor, sourceFormats }) => <Link href={formatPath(sourceFormats[0] ?? '')}>{extractor}</Link>,
        },
        { name: 'Base: the greatest of', cell: Base },
        { name: 'Add-ons', cell: AddOns },
      ]}
    />
  )
}

const only = (extensions: readonly string[] | undefined): string => {
  if (!extensions) return ''
  return extensions.length > 8 ? ' (other extensions)' : ` (${extensions.join(', ')})`
}

const Base = ({ costing }: Extractor) =>
  costing.terms.map((term) => (
    <div key={`${term.metric}${term.extensions}`}>
      {rateWords(term)}
      {only(term.extensions)}
    </div>
  ))

const AddOns = ({ costing }: Extractor) =>
  groupAddOns(costing.addOns).flatMap(({ name, addOns }) => {
    const lines = addOns.map(
      (addOn) =>
        `${addOn.once ?? addOnName(addOn.capabilityId, addOn.mode)}: ${rateWords(addOn)}${only(addOn.extensions)}`,
    )
    return [...new Set(lines)].map((line) => <div key={`${name}${line}`}>{line}</div>)
  })

const addOnName = (capabilityId: string, mode: string | null): string => (mode === null ? capabilityId : mode)
