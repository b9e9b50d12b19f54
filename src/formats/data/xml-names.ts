/** A set of names. */
export const words = (text: string) => new Set(text.split(' '))

// Names that JATS, DocBook, TEI, DITA, patents and XHTML share or have of their own.
export const PARAGRAPHS = words('p para simpara formalpara shortdesc claim-text note-p license-p ab l')
export const TITLES = words('title heading head article-title invention-title book-title trans-title h1 h2 h3 h4 h5 h6')
export const SECTIONS = words(
  'sec section chapter part appendix app div div1 div2 div3 div4 sect1 sect2 sect3 sect4 sect5 abstract trans-abstract ack ref-list topic preface bibliography app-group sub-article',
)
export const LISTS = words('list itemizedlist orderedlist ul ol sl simplelist variablelist def-list dl claims')
export const ITEMS = words('list-item listitem li item sli member varlistentry def-item dlentry claim')
export const TABLES = words('table informaltable tgroup')
export const ROWS = words('tr row strow sthead')
export const CELLS = words('td th entry stentry')
export const CODE = words('programlisting screen preformat codeblock pre literallayout')
export const FIGURES = words(
  'fig figure table-wrap boxed-text informalfigure supplementary-material disp-quote blockquote quote',
)
export const REFERENCES = words('ref bibliomixed biblioentry bibl mixed-citation element-citation citation')
export const BOLD = words('bold b strong')
export const ITALIC = words('italic i em emphasis hi')
export const MONOSPACE = words('monospace code literal tt command filename codeph varname')
export const LINKS = words('ext-link ulink link a uri')
/** Heads of documents: of these only titles, names and abstracts are for readers. */
export const HEADS = words(
  'front article-meta teiHeader info articleinfo bookinfo front-stub us-bibliographic-data-application us-bibliographic-data-grant',
)
export const NAMES = words('contrib-group authorgroup inventors us-parties applicants')
export const LEFT_OUT = words(
  'graphic inline-graphic media colspec img label-alternatives contrib-id custom-meta-group processing-meta journal-meta drawings object-id indexterm kwd-group',
)

/** True for elements that hold running text. */
export const isParagraphName = (name: string): boolean => PARAGRAPHS.has(name.slice(name.indexOf(':') + 1))
