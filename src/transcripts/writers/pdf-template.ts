/**
 * The page of a transcript in Typst. What was said comes in as data and is only ever shown as text, so that nothing
 * in it can be taken for markup or code.
 */
export const PDF_TEMPLATE = `
#let data = json(bytes(sys.inputs.data))
#let side(isTurned) = if isTurned { rtl } else { ltr }
// In a box of its own a time keeps its side of the name, whichever way the line runs.
#let clock(time) = box(text(fill: luma(45%), size: 8pt, weight: "regular", dir: ltr, time))
#set document(title: data.title, date: none)
#set page(paper: "a4", margin: (x: 25mm, y: 25mm), numbering: "1")
#set text(font: data.fonts, size: 10.5pt, hyphenate: false, lang: data.language, dir: side(data.isTurned))
#set par(leading: 0.75em, spacing: 1.1em)
#show heading: set block(above: 1.8em, below: 1em)
#show heading: set text(weight: "semibold")
#block(below: 2em, text(size: 18pt, weight: "semibold", dir: side(data.isTitleTurned), data.title))
#for chapter in data.chapters {
  if chapter.title != none { heading(level: 1, text(dir: side(chapter.isTurned), chapter.title)) }
  for turn in chapter.turns {
    set text(dir: side(turn.isTurned))
    if data.isDense {
      let name = if turn.speaker != none { text(weight: "semibold", turn.speaker) + " " }
      for paragraph in turn.paragraphs { par(name + (if paragraph.time != none { paragraph.time } else { turn.time }) + " " + paragraph.text) }
      continue
    }
    if turn.speaker != none {
      block(above: 1.6em, below: 0.7em, sticky: true, text(weight: "semibold", turn.speaker) + h(0.6em) + clock(turn.time))
    }
    for paragraph in turn.paragraphs {
      set text(dir: side(paragraph.isTurned))
      par(if paragraph.time != none { clock(paragraph.time) + h(0.6em) } + paragraph.text)
    }
  }
}
`
