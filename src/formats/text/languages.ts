/** How a file of this family is turned into Markdown, and what its metadata tells. */
export type TextKind = 'plain' | 'log' | 'markdown' | 'restructuredtext' | 'org' | 'latex' | 'subtitles' | 'code'

/** Extensions of text that is not source code. */
const DOCUMENTS: Record<string, TextKind> = {
  txt: 'plain',
  text: 'plain',
  nfo: 'plain',
  adoc: 'plain',
  asciidoc: 'plain',
  textile: 'plain',
  log: 'log',
  md: 'markdown',
  markdown: 'markdown',
  mdown: 'markdown',
  mkd: 'markdown',
  mdx: 'markdown',
  rmd: 'markdown',
  qmd: 'markdown',
  rst: 'restructuredtext',
  org: 'org',
  tex: 'latex',
  latex: 'latex',
  srt: 'subtitles',
  vtt: 'subtitles',
}

// Fence names as highlighters know them. TypeScript's own `ts` is left to MPEG transport streams, `mts` and `m2ts` too:
// an extension has one owner, and a video sent as `ts` is the commoner upload. `tsx` and `cts` are here.
const LANGUAGES: Record<string, string> = {
  actionscript: 'as',
  ada: 'adb ads',
  applescript: 'applescript',
  arduino: 'ino',
  asm: 'asm s nasm',
  astro: 'astro',
  awk: 'awk',
  bash: 'sh bash zsh ksh fish command',
  bat: 'bat cmd',
  bibtex: 'bib',
  c: 'c h',
  clojure: 'clj cljs cljc edn',
  cmake: 'cmake',
  coffeescript: 'coffee',
  cpp: 'cc cpp cxx c++ hpp hh hxx h++ ipp tpp',
  crystal: 'cr',
  csharp: 'cs csx',
  css: 'css',
  cuda: 'cu cuh',
  d: 'd',
  dart: 'dart',
  diff: 'diff patch',
  dockerfile: 'dockerfile',
  elisp: 'el',
  elixir: 'ex exs',
  elm: 'elm',
  erlang: 'erl hrl',
  fortran: 'f f77 f90 f95 f03 for',
  fsharp: 'fs fsi fsx',
  gdscript: 'gd',
  gherkin: 'feature',
  glsl: 'glsl vert frag',
  go: 'go',
  gradle: 'gradle',
  graphql: 'graphql gql',
  groovy: 'groovy',
  handlebars: 'hbs handlebars',
  haskell: 'hs lhs',
  hcl: 'hcl tf tfvars',
  ini: 'ini cfg conf editorconfig',
  java: 'java',
  javascript: 'js mjs cjs',
  json5: 'json5 jsonc',
  jsx: 'jsx',
  julia: 'jl',
  kotlin: 'kt kts',
  less: 'less',
  lisp: 'lisp lsp cl',
  lua: 'lua',
  makefile: 'mk mak makefile',
  matlab: 'm',
  mermaid: 'mmd mermaid',
  nim: 'nim',
  nix: 'nix',
  objectivec: 'mm',
  ocaml: 'ml mli',
  pascal: 'pas pp dpr',
  perl: 'pl pm',
  php: 'php phtml',
  plantuml: 'puml plantuml',
  powershell: 'ps1 psm1 psd1',
  prisma: 'prisma',
  prolog: 'prolog',
  properties: 'properties env',
  protobuf: 'proto',
  pug: 'pug',
  python: 'py pyw pyi pyx',
  r: 'r',
  racket: 'rkt',
  ruby: 'rb rake gemspec',
  rust: 'rs',
  sass: 'sass',
  scala: 'scala sc sbt',
  scheme: 'scm ss',
  scss: 'scss',
  solidity: 'sol',
  sql: 'sql ddl dml',
  stylus: 'styl',
  svelte: 'svelte',
  swift: 'swift',
  tcl: 'tcl',
  tsx: 'tsx',
  typescript: 'cts',
  vbnet: 'vb bas vbs',
  verilog: 'v sv svh',
  vhdl: 'vhd vhdl',
  vim: 'vim',
  vue: 'vue',
  wgsl: 'wgsl',
  zig: 'zig',
}

const LANGUAGE_BY_EXTENSION = new Map(
  Object.entries(LANGUAGES).flatMap(([language, extensions]) =>
    extensions.split(' ').map((extension) => [extension, language] as const),
  ),
)

/** Every extension this family takes. */
export const EXTENSIONS: readonly string[] = [...Object.keys(DOCUMENTS), ...LANGUAGE_BY_EXTENSION.keys()]

/** What kind of text an extension stands for. */
export const kindOf = (extension: string): TextKind => DOCUMENTS[extension] ?? 'code'

const INTERPRETERS: Record<string, string> = {
  sh: 'bash',
  zsh: 'bash',
  ksh: 'bash',
  dash: 'bash',
  node: 'javascript',
  deno: 'typescript',
  bun: 'typescript',
  pwsh: 'powershell',
  rscript: 'r',
  runghc: 'haskell',
}

/** The programming language of a file, by its first line where that names an interpreter, else by its extension. */
export const languageOf = (extension: string, firstLine: string): { language?: string; interpreter?: string } => {
  const language = LANGUAGE_BY_EXTENSION.get(extension)
  const command = /^#!\s*(?:\S*\/)?env\s+(?:-\S+\s+)*(\S+)|^#!\s*(\S+)/.exec(firstLine.slice(0, 300))
  const interpreter = (command?.[1] ?? command?.[2])?.split('/').at(-1)
  if (!interpreter) return language ? { language } : {}
  const name = interpreter.toLowerCase().replace(/[\d.]+$/, '')
  return { language: INTERPRETERS[name] ?? (name in LANGUAGES ? name : (language ?? name)), interpreter }
}
