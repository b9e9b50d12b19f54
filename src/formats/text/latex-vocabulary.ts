/** Levels of headings by command; the title of the document is above them. */
export const HEADINGS: Record<string, number> = {
  part: 1,
  chapter: 1,
  section: 2,
  subsection: 3,
  subsubsection: 4,
  paragraph: 5,
  subparagraph: 6,
}
/** Markdown around the argument of a command. */
export const STYLES: Record<string, string> = {
  textbf: '**',
  textit: '*',
  emph: '*',
  textsl: '*',
  mathbf: '**',
}
/** Commands that speak to the typesetter, with the number of their arguments. */
export const DROPPED: Record<string, number> = Object.fromEntries(
  (
    'label:1 vspace:1 hspace:1 vskip:0 usepackage:1 documentclass:1 pagestyle:1 thispagestyle:1 setlength:2 addtolength:2 ' +
    'setcounter:2 addtocounter:2 bibliographystyle:1 color:1 input:1 include:1 newcommand:2 renewcommand:2 providecommand:2 ' +
    'newtheorem:2 hypersetup:1 graphicspath:1 fontsize:2 phantom:1 hphantom:1 vphantom:1 index:1 linespread:1 ' +
    'definecolor:3 newenvironment:3 renewenvironment:3 DeclareMathOperator:2 PassOptionsToPackage:2 subfile:1 usetikzlibrary:1 ' +
    'numberwithin:2 theoremstyle:1 bibliography:1 geometry:1 captionsetup:1 cmidrule:1 rule:2 stepcounter:1 nocite:1 ' +
    'settowidth:2 newlength:1 newcounter:1 hyphenation:1 selectlanguage:1 addcontentsline:3 markboth:2 markright:1 pagenumbering:1'
  )
    .split(' ')
    .map((entry) => entry.split(':'))
    .map(([name = '', count]) => [name, Number(count)]),
)
/** Environments that hold a formula. */
export const MATH = /^(?:equation|align|gather|multline|eqnarray|displaymath|math|flalign|alignat|dmath)\*?$/
/** Environments whose text is taken as it stands. */
export const CODE = /^(?:verbatim|lstlisting|minted|Verbatim|alltt|comment)\*?$/
