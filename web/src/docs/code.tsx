import type { CodeBlock } from '../../build/guides.ts'
import { CopyButton } from '../design/button.tsx'
import { Tabs } from '../design/tabs.tsx'
import styles from './docs.module.css'
import { useLanguage } from './language.ts'

/** The address that the guides are written with; the reader sees that of this very site. */
const WRITTEN_ADDRESS = 'http://localhost:3000'

const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  'ts sdk': 'TypeScript client',
  python: 'Python',
}

/** Code to read and to copy. */
export const Code = ({ code }: { code: string }) => {
  const text = code.replaceAll(WRITTEN_ADDRESS, location.origin)
  return (
    <div className={styles.code}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard too */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <div className={styles.copy}>
        <CopyButton text={text} />
      </div>
    </div>
  )
}

/** The same in several languages; the one chosen is remembered for every example. */
export const Example = ({ blocks }: { blocks: readonly CodeBlock[] }) => {
  const [language, choose] = useLanguage()
  const tabs = blocks.map(({ kind, code }) => ({
    id: kind,
    label: LANGUAGES[kind] ?? kind,
    content: () => <Code code={code} />,
  }))
  if (tabs.length === 1) return tabs[0]?.content()
  return (
    <div className={styles.example}>
      <Tabs label="Language" tabs={tabs} chosen={language} onChoose={choose} />
    </div>
  )
}
