import type { Box } from '../document/model.ts'

/** A run of characters in one font on one line. */
export type TextRun = Box & {
  text: string
  /** Without the subset's prefix. */
  font: string
  /** Points, as shown on the page. */
  fontSize: number
  bold: boolean
  italic: boolean
  monospace: boolean
  /** `rrggbb`; black unless told. */
  color?: string
  /** Degrees, clockwise, as shown on the page; 0 unless told. */
  rotation: number
  /** Id of the marked content it belongs to, in a tagged file. */
  mcid?: number
  /** 0 to 1, where OCR read it. */
  confidence?: number
  /** Boxes of its words, where it has more than one. */
  words?: readonly Word[]
}
export type Word = Box & { text: string }

/** A straight line that is drawn, horizontal or vertical, or a filled bar thin enough to be one. */
export type RuleLine = { x1: number; y1: number; x2: number; y2: number; thickness: number; color?: string }

/** A drawn shape: a filled cell, a frame, a piece of a chart. */
export type Shape = Box & { fill?: string; stroke?: string; curved: boolean }

export type PlacedImage = Box & { id: string }
export type LinkArea = Box & { uri: string }

/** An element of the structure tree of a tagged file, as far as it stands on this page. */
export type StructureElement = {
  type: string
  alt?: string
  actualText?: string
  attributes: Readonly<Record<string, string | number | boolean>>
  mcids: readonly number[]
  children: readonly StructureElement[]
}

/** What stands on a page, unordered: what the layout reads. The page is turned as it is shown. */
export type PageContent = {
  number: number
  label?: string
  width: number
  height: number
  source: 'text' | 'ocr' | 'none'
  runs: readonly TextRun[]
  lines: readonly RuleLine[]
  shapes: readonly Shape[]
  images: readonly PlacedImage[]
  links: readonly LinkArea[]
  /** Empty where the file is not tagged. */
  structure: readonly StructureElement[]
}
