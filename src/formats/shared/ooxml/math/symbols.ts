const GREEK =
  'alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho varsigma sigma tau upsilon varphi chi psi omega'.split(
    ' ',
  )
const LATIN_LOOKING = new Map(
  Object.entries({
    Α: 'A',
    Β: 'B',
    Ε: 'E',
    Ζ: 'Z',
    Η: 'H',
    Ι: 'I',
    Κ: 'K',
    Μ: 'M',
    Ν: 'N',
    Ο: 'O',
    Ρ: 'P',
    Τ: 'T',
    Υ: 'Y',
    Χ: 'X',
    ο: 'o',
  }),
)
const CAPITAL_GREEK = new Map(
  Object.entries({
    Γ: 'Gamma',
    Δ: 'Delta',
    Θ: 'Theta',
    Λ: 'Lambda',
    Ξ: 'Xi',
    Π: 'Pi',
    Σ: 'Sigma',
    Υ: 'Upsilon',
    Φ: 'Phi',
    Ψ: 'Psi',
    Ω: 'Omega',
  }),
)

/** Commands of single characters, as `character command` pairs; a command is a whole LaTeX token. */
const COMMANDS = `
± pm ∓ mp × times ÷ div ∗ ast ⋆ star ∘ circ ∙ bullet · cdot ⋅ cdot ⊕ oplus ⊖ ominus ⊗ otimes ⊘ oslash ⊙ odot
∩ cap ∪ cup ⊎ uplus ⊓ sqcap ⊔ sqcup ∧ wedge ∨ vee ∖ setminus ≀ wr ⋄ diamond † dagger ‡ ddagger ∐ amalg
≤ leq ≥ geq ≪ ll ≫ gg ≺ prec ≻ succ ≼ preceq ≽ succeq ≠ neq ≡ equiv ≢ not\\equiv ∼ sim ≃ simeq ≈ approx ≅ cong ∝ propto ≐ doteq
≔ coloneqq ≜ triangleq ≲ lesssim ≳ gtrsim ⩽ leqslant ⩾ geqslant ≮ nless ≯ ngtr ≰ nleq ≱ ngeq ≍ asymp ⋈ bowtie
⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ⊄ not\\subset ⊈ nsubseteq ⊉ nsupseteq ⊊ subsetneq ⊋ supsetneq ⊏ sqsubset ⊐ sqsupset ⊑ sqsubseteq ⊒ sqsupseteq
∈ in ∉ notin ∋ ni ∅ emptyset ∀ forall ∃ exists ∄ nexists ¬ neg ⊤ top ⊥ bot ⊢ vdash ⊣ dashv ⊨ models ⊩ Vdash
∥ parallel ∦ nparallel ∣ mid ∤ nmid ∠ angle ∡ measuredangle ∢ sphericalangle △ triangle ▽ bigtriangledown □ square ■ blacksquare ◊ lozenge
← leftarrow → rightarrow ↑ uparrow ↓ downarrow ↔ leftrightarrow ↕ updownarrow ⇐ Leftarrow ⇒ Rightarrow ⇑ Uparrow ⇓ Downarrow ⇔ Leftrightarrow ⇕ Updownarrow
⟵ longleftarrow ⟶ longrightarrow ⟷ longleftrightarrow ⟸ Longleftarrow ⟹ Longrightarrow ⟺ Longleftrightarrow ↦ mapsto ⟼ longmapsto
↖ nwarrow ↗ nearrow ↘ searrow ↙ swarrow ↩ hookleftarrow ↪ hookrightarrow ↼ leftharpoonup ↽ leftharpoondown ⇀ rightharpoonup ⇁ rightharpoondown ⇌ rightleftharpoons ⇋ leftrightharpoons ↛ nrightarrow ⇏ nRightarrow ⇝ leadsto
∞ infty ∂ partial ∇ nabla ∆ Delta ℏ hbar ℓ ell ℜ Re ℑ Im ℵ aleph ℶ beth ℘ wp ∫ int ∬ iint ∭ iiint ∮ oint ∯ oiint ∰ oiiint ∑ sum ∏ prod ∐ coprod
⋀ bigwedge ⋁ bigvee ⋂ bigcap ⋃ bigcup ⨀ bigodot ⨁ bigoplus ⨂ bigotimes ⨄ biguplus ⨆ bigsqcup
… ldots ⋯ cdots ⋮ vdots ⋱ ddots ′ prime ″ prime\\prime ‴ prime\\prime\\prime ∴ therefore ∵ because ∎ blacksquare √ surd ⊞ boxplus ⊟ boxminus ⊠ boxtimes ⊡ boxdot
⟨ langle ⟩ rangle 〈 langle 〉 rangle ⌈ lceil ⌉ rceil ⌊ lfloor ⌋ rfloor ‖ Vert ⟦ llbracket ⟧ rrbracket ∟ llcorner
ϑ vartheta ϕ phi ϖ varpi ϱ varrho ϵ epsilon ϰ varkappa ϝ digamma ı imath ȷ jmath Å mathring{A} ° circ ♠ spadesuit ♡ heartsuit ♢ diamondsuit ♣ clubsuit ♭ flat ♮ natural ♯ sharp
\\ backslash { { } } $ $ % % & & # #
ð eth ø o Ø O ß ss æ ae Æ AE € text{€} £ pounds § S ¶ P © copyright ® circledR
`

const commands = new Map<string, string>()
const pairs = COMMANDS.trim().split(/\s+/)
for (let at = 0; at + 1 < pairs.length; at += 2) commands.set(pairs[at] as string, `\\${pairs[at + 1]}`)
for (const [index, name] of GREEK.entries()) commands.set(String.fromCodePoint(0x3b1 + index), `\\${name}`)
for (const [char, name] of CAPITAL_GREEK) commands.set(char, `\\${name}`)
for (const [char, letter] of LATIN_LOOKING) if (!commands.has(char)) commands.set(char, letter)
commands
  .set('φ', '\\varphi')
  .set('ε', '\\varepsilon')
  .set('−', '-')
  .set('–', '-')
  .set('‐', '-')
  .set('⁄', '/')
  .set('∕', '/')
commands
  .set('∶', ':')
  .set('\u00a0', '\\ ')
  .set('\u2003', '\\quad ')
  .set('\u2002', '\\enspace ')
  .set('\u2009', '\\,')
  .set('\u2005', '\\:')
commands
  .set('\u2004', '\\;')
  .set('\u200a', '')
  .set('\u200b', '')
  .set('\u2061', '')
  .set('\u2062', '')
  .set('\u2063', '')
  .set('\u2064', '')
commands.set('“', '\\text{“}').set('”', '\\text{”}').set('\u2057', '\\prime\\prime\\prime\\prime')
for (const [char, letter] of Object.entries({ ℂ: 'C', ℍ: 'H', ℕ: 'N', ℙ: 'P', ℚ: 'Q', ℝ: 'R', ℤ: 'Z' })) {
  commands.set(char, `\\mathbb{${letter}}`)
}
for (const [char, letter] of Object.entries({
  ℬ: 'B',
  ℰ: 'E',
  ℱ: 'F',
  ℋ: 'H',
  ℐ: 'I',
  ℒ: 'L',
  ℳ: 'M',
  ℛ: 'R',
  ℊ: 'g',
  ℴ: 'o',
  ℯ: 'e',
})) {
  commands.set(char, `\\mathcal{${letter}}`)
}
for (const [char, letter] of Object.entries({ ℭ: 'C', ℌ: 'H', ℨ: 'Z' })) commands.set(char, `\\mathfrak{${letter}}`)

/** The LaTeX of one character in a formula, without the blank that may have to follow; undefined where it is itself. */
export const commandOf = (char: string): string | undefined => commands.get(char)

/** Accents over or under, by the combining character that Office writes. */
export const ACCENTS: ReadonlyMap<string, string> = new Map([
  ['\u0300', '\\grave'],
  ['\u0301', '\\acute'],
  ['\u0302', '\\hat'],
  ['\u0303', '\\tilde'],
  ['\u0304', '\\bar'],
  ['\u0305', '\\overline'],
  ['\u0306', '\\breve'],
  ['\u0307', '\\dot'],
  ['\u0308', '\\ddot'],
  ['\u030a', '\\mathring'],
  ['\u030c', '\\check'],
  ['\u0331', '\\underline'],
  ['\u0332', '\\underline'],
  ['\u0333', '\\underline'],
  ['\u033f', '\\overline'],
  ['\u20d0', '\\overset{\\leftharpoonup}'],
  ['\u20d1', '\\overset{\\rightharpoonup}'],
  ['\u20d6', '\\overleftarrow'],
  ['\u20d7', '\\vec'],
  ['\u20db', '\\dddot'],
  ['\u20dc', '\\ddddot'],
  ['\u20e1', '\\overleftrightarrow'],
  ['^', '\\hat'],
  ['ˆ', '\\hat'],
  ['~', '\\tilde'],
  ['˜', '\\tilde'],
  ['¯', '\\bar'],
  ['‾', '\\overline'],
  ['˙', '\\dot'],
  ['¨', '\\ddot'],
  ['→', '\\vec'],
  ['⃗', '\\vec'],
])

/** The accents that have a form as wide as what is under them. */
export const WIDE_ACCENTS: ReadonlyMap<string, string> = new Map([
  ['\\hat', '\\widehat'],
  ['\\tilde', '\\widetilde'],
  ['\\bar', '\\overline'],
  ['\\vec', '\\overrightarrow'],
])

/** Names that LaTeX knows as functions. */
export const FUNCTIONS: ReadonlySet<string> = new Set(
  'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec sin sinh sup tan tanh'.split(
    ' ',
  ),
)

type Alphabet = { from: number; to: number; base: number; wrap: string }
const A = 0x41
const a = 0x61
const zero = 0x30
const LETTERS = 26

/** The mathematical alphabets of Unicode: where each lies and what LaTeX calls it. Italic is what letters are anyway. */
const ALPHABETS: readonly Alphabet[] = [
  ['\\mathbf', 0x1d400],
  ['', 0x1d434],
  ['\\boldsymbol', 0x1d468],
  ['\\mathcal', 0x1d49c],
  ['\\mathcal', 0x1d4d0],
  ['\\mathfrak', 0x1d504],
  ['\\mathbb', 0x1d538],
  ['\\mathfrak', 0x1d56c],
  ['\\mathsf', 0x1d5a0],
  ['\\mathsf', 0x1d5d4],
  ['\\mathsf', 0x1d608],
  ['\\mathsf', 0x1d63c],
  ['\\mathtt', 0x1d670],
].flatMap(([wrap, start]) => [
  { from: start as number, to: (start as number) + LETTERS, base: A, wrap: wrap as string },
  { from: (start as number) + LETTERS, to: (start as number) + 2 * LETTERS, base: a, wrap: wrap as string },
])
const DIGITS: readonly Alphabet[] = ['\\mathbf', '\\mathbb', '\\mathsf', '\\mathsf', '\\mathtt'].map((wrap, index) => ({
  from: 0x1d7ce + index * 10,
  to: 0x1d7ce + (index + 1) * 10,
  base: zero,
  wrap,
}))
/** Bold, italic, bold italic and two more Greek alphabets of 58 places each. */
const GREEK_START = 0x1d6a8
const GREEK_PLACES = 58
const GREEK_TAIL = '∇αβγδεζηθικλμνξοπρςστυφχψω∂ϵϑϰϕϱϖ'

/** A character of a mathematical alphabet as the plain one and the command around it. */
export const unfoldAlphabet = (char: string): { plain: string; wrap: string } | undefined => {
  const code = char.codePointAt(0) ?? 0
  if (code < 0x1d400 || code > 0x1d7ff) return undefined
  const alphabet = [...ALPHABETS, ...DIGITS].find(({ from, to }) => code >= from && code < to)
  if (alphabet) return { plain: String.fromCodePoint(alphabet.base + code - alphabet.from), wrap: alphabet.wrap }
  if (code < GREEK_START) return undefined
  const set = Math.floor((code - GREEK_START) / GREEK_PLACES)
  const place = (code - GREEK_START) % GREEK_PLACES
  const plain = place < 25 ? (place === 17 ? 'ϴ' : String.fromCodePoint(0x391 + place)) : GREEK_TAIL[place - 25]
  return { plain: plain ?? '', wrap: set === 1 ? '' : '\\boldsymbol' }
}
