import type { Context } from '../../core/catalog.ts'
import { perSource } from '../shared/per-source.ts'
import { Malformed } from './malformed.ts'
import { isParagraphName } from './xml-names.ts'
import { parseWholeXml } from './xml-parser.ts'

/** What an XML document holds, counted without keeping it. */
export type XmlSurvey = {
  root: string
  version?: string
  doctype?: string
  namespaces: Record<string, string>
  elements: number
  attributes: number
  distinctElements: number
  textCharacters: number
  depth: number
  /** Entities that the document type declares itself: they are never expanded. */
  unknownEntities: number
}

/** What a survey found, and how the document is best read. */
export type XmlReading = XmlSurvey & {
  /** `document` has paragraphs, `records` is a root with one kind of children, anything else is a `tree`. */
  kind: 'document' | 'records' | 'tree'
  /** Attributes of the root, which stand before its records. */
  rootAttributes: [string, string][]
  recordName: string
}

/** Counts what an XML document holds; a broken one gives what is wrong with it. */
export const surveyXml = perSource(async (source, context, encodingName): Promise<XmlReading | Malformed> => {
  const survey: XmlSurvey = {
    root: '',
    namespaces: {},
    elements: 0,
    attributes: 0,
    distinctElements: 0,
    textCharacters: 0,
    depth: 0,
    unknownEntities: 0,
  }
  const names = new Set<string>()
  const recordNames = new Set<string>()
  const reading = { rootAttributes: [] as [string, string][], records: 0, rootHasText: false }
  const prose = makeProseDetector()
  let level = 0
  const result = await parseWholeXml(source, context, encodingName, [0.2, 0.6], {
    open(name, attributes) {
      prose.open(name)
      if (level === 1) {
        reading.records++
        if (recordNames.size < 2) recordNames.add(name)
      }
      if (level++ === 0) {
        survey.root = name
        reading.rootAttributes = attributes
      }
      survey.depth = Math.max(survey.depth, level)
      survey.elements++
      survey.attributes += attributes.length
      if (names.size < 10_000) names.add(name)
      for (const [attribute, value] of attributes) {
        if (!/^xmlns(?::|$)/.test(attribute) || Object.keys(survey.namespaces).length >= 100) continue
        survey.namespaces[attribute.slice(6)] ??= value.slice(0, 500)
      }
    },
    close() {
      level--
      prose.close()
    },
    text(text) {
      const characters = text.trim().length
      survey.textCharacters += characters
      if (characters === 0) return
      if (level === 1) reading.rootHasText = true
      prose.text()
    },
    declaration(version) {
      survey.version = version
    },
    doctype(doctype) {
      survey.doctype = doctype
        .replace(/\[[\s\S]*$/, '')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, 300)
    },
  })
  if (result instanceof Malformed) return result
  const isList = recordNames.size === 1 && reading.records > 1 && !reading.rootHasText
  return {
    ...survey,
    distinctElements: names.size,
    unknownEntities: result,
    kind: prose.isDocument() ? 'document' : isList ? 'records' : 'tree',
    rootAttributes: reading.rootAttributes,
    recordName: [...recordNames][0] ?? '',
  }
})

/** Tells the client that entities were left as they stand. */
export const warnEntities = (context: Context, { unknownEntities }: XmlSurvey): void => {
  if (unknownEntities === 0) return
  context.warn(
    'data.entities_kept',
    `${unknownEntities} entities that XML itself does not define were left as they are.`,
  )
}

/** Articles, books and manuals have paragraphs, and words in bold or links between their texts. */
const makeProseDetector = () => {
  const stack: { hasText: boolean; hasElement: boolean; isMixed: boolean }[] = []
  let paragraphs = 0
  let mixed = 0
  const look = () => {
    const top = stack.at(-1)
    if (!top?.hasText || !top.hasElement || top.isMixed) return
    top.isMixed = true
    mixed++
  }
  return {
    open(name: string) {
      const top = stack.at(-1)
      if (top) top.hasElement = true
      look()
      if (isParagraphName(name)) paragraphs++
      stack.push({ hasText: false, hasElement: false, isMixed: false })
    },
    close: () => stack.pop(),
    text() {
      const top = stack.at(-1)
      if (top) top.hasText = true
      look()
    },
    isDocument: () => paragraphs >= 3 && mixed >= 1,
  }
}
