// Written by `npm run generate` from the catalog and the error tables. Change those, not this file.

/** Every code that a request can be refused with, and the status it comes with. */
export const REQUEST_ERRORS = {
  /** Send your API key in the X-Fast-Api-Key header. */
  'api_key.required': 401,
  /** The API key is not valid, or may not be used from this address. */
  'api_key.invalid_or_ip_not_allowed': 401,
  /** This route needs a key from a Pro account. */
  'api_key.pro_required': 403,
  /** This source extension is not supported. */
  'estimate.unsupported_format': 400,
  /** Send fileSizeBytes or fileSizeMb, greater than zero. */
  'estimate.invalid_file_size': 400,
  /** The duration is over the limit of your plan. */
  'estimate.duration_limit_exceeded': 400,
  /** A metric that this format is priced on is missing. */
  'estimate.exact_metrics_required': 422,
  /** Send exactly one file in the form field "file". */
  'request.no_files': 400,
  /** Send exactly one file; this request has more than one. */
  'request.multiple_files': 400,
  /** The file has no bytes. */
  'request.empty_file': 400,
  /** The content type is not the one this route takes. */
  'request.invalid_content_type': 400,
  /** The body could not be read. */
  'request.malformed': 400,
  /** The request has a field that is not documented. */
  'request.unknown_field': 400,
  /** A parameter has a value that is not allowed. */
  'request.invalid_parameter': 400,
  /** The chosen capabilities break a constraint of the format. */
  'request.constraint_violated': 400,
  /** Files with this extension are not supported. */
  'request.invalid_extension': 400,
  /** The content is plainly not what the extension says. */
  'request.content_mismatch': 400,
  /** No such format. */
  'formats.not_found': 404,
  /** The account has too few credits for this job. */
  'entitlements.insufficient_credits': 402,
  /** The daily limit of the plan is used up. */
  'usage.daily_limit_exceeded': 402,
  /** This job belongs to another account. */
  'jobs.forbidden': 403,
  /** No such job. */
  'jobs.not_found': 404,
  /** No such route. */
  'route.not_found': 404,
  /** This route does not take that method. */
  'route.method_not_allowed': 405,
  /** The job has not finished yet. */
  'jobs.not_ready': 409,
  /** The job failed and has no result. */
  'jobs.failed': 409,
  /** The job was canceled and has no result. */
  'jobs.canceled': 409,
  /** The job has ended and can no longer be canceled. */
  'jobs.not_cancellable': 409,
  /** Cancel the job, or wait for its end, before you delete it. */
  'jobs.not_deletable': 409,
  /** This Idempotency-Key was used with another request. */
  'idempotency.key_reused': 409,
  /** The result was deleted at the end of its retention. */
  'jobs.result_expired': 410,
  /** The file is over the size limit of your plan. */
  'request.file_too_large': 413,
  /** Too many requests; wait and try again. */
  rate_limited: 429,
  /** The account has too many jobs waiting. */
  'queue.limit_exceeded': 429,
  /** The service has too many jobs waiting; try again later. */
  'queue.pool_saturated': 429,
  /** Something went wrong on our side; the request id finds it in the log. */
  internal: 500,
  /** The service cannot take this request now; try again shortly. */
  'service.unavailable': 503,
} as const
/** A code that a request can be refused with. */
export type RequestErrorCode = keyof typeof REQUEST_ERRORS

/** Every code that a failed job can carry, and what it means. */
export const JOB_FAILURES = {
  'extract.pdf.no_markdown_content_found': 'The selection of the PDF holds only structural markers.',
  'extract.pdf.no_ocr_text_found': 'OCR found no readable text.',
  'extract.audio_transcription.provider_not_configured': 'No engine can serve this transcription mode now.',
  'extract.source_unreadable': 'The file is damaged, or not what its extension says.',
  'extract.source_encrypted': 'The file is encrypted; send its password in the options.',
  'extract.limit_exceeded': 'The file needs more than the limits of the service allow.',
  'extract.timed_out': 'The extraction took too long, or made no progress, and was stopped.',
  'extract.output_empty': 'Nothing that was asked for is in the file.',
  'extract.engine_failed': 'An extraction engine failed on this file.',
  'extract.worker_lost': 'The worker was lost twice while it ran this job.',
  'transcribe.no_audio': 'The file has no audio.',
  'transcribe.no_speech': 'No speech was found in the audio.',
} as const
/** A code that a failed job can carry. */
export type JobFailureCode = keyof typeof JOB_FAILURES

/** Where a job can stand. */
export type JobStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled'
/** The states that end a job. */
export const END_STATES = ['succeeded', 'failed', 'canceled'] as const
/** What a webhook can tell of. */
export type WebhookEventType = 'job.succeeded' | 'job.failed' | 'job.canceled'
/** What `estimate` takes as metrics of a file. */
export type MetricField =
  | 'fileSizeBytes'
  | 'fileSizeMb'
  | 'durationSeconds'
  | 'durationMinutes'
  | 'pageCount'
  | 'documentUnitCount'
  | 'slideCount'
  | 'sheetCount'
  | 'frameCount'
/** Categories of formats. */
export type Category =
  | 'archive'
  | 'audio'
  | 'data'
  | 'ebook'
  | 'email'
  | 'spreadsheet'
  | 'image'
  | 'document'
  | 'presentation'
  | 'text'
  | 'video'
  | 'web'
/** Groups of artifacts, which are the folders of the result. */
export type OutputGroup =
  | 'listing'
  | 'files'
  | 'text'
  | 'metadata'
  | 'audio'
  | 'images'
  | 'segments'
  | 'transcript'
  | 'markdown'
  | 'json'
  | 'tables'
  | 'toc'
  | 'cover'
  | 'chunks'
  | 'attachments'
  | 'csv'
  | 'frames'
  | 'previews'
  | 'colors'
  | 'comments'
  | 'notes'
  | 'ocr'
  | 'pages'
  | 'subtitles'
  | 'chapters'
  | 'links'

/** Extensions of the family archive. */
export type ArchiveExtension =
  | 'zip'
  | 'tar'
  | 'gz'
  | 'tgz'
  | 'bz2'
  | 'tbz'
  | 'tbz2'
  | 'xz'
  | 'txz'
  | 'zst'
  | 'tzst'
  | '7z'
  | 'rar'
  | 'iso'
  | 'cab'
  | 'jar'
  | 'war'
  | 'apk'
/** Extensions of the family audio. */
export type AudioExtension =
  | 'mp3'
  | 'wav'
  | 'm4a'
  | 'm4b'
  | 'aac'
  | 'flac'
  | 'ogg'
  | 'oga'
  | 'opus'
  | 'spx'
  | 'wma'
  | 'aiff'
  | 'aif'
  | 'aifc'
  | 'amr'
  | 'ac3'
  | 'eac3'
  | 'ec3'
  | 'dts'
  | 'caf'
  | 'mka'
  | 'wv'
  | 'ape'
  | 'au'
  | 'snd'
  | 'mp2'
  | 'tta'
  | 'w64'
  | 'rf64'
  | 'bwf'
/** Extensions of the family data. */
export type DataExtension =
  | 'csv'
  | 'tsv'
  | 'tab'
  | 'psv'
  | 'json'
  | 'jsonl'
  | 'ndjson'
  | 'geojson'
  | 'xml'
  | 'yaml'
  | 'yml'
  | 'toml'
/** Extensions of the family ebook. */
export type EbookExtension = 'epub' | 'fb2' | 'fbz' | 'mobi' | 'azw' | 'azw3' | 'prc'
/** Extensions of the family email. */
export type EmailExtension = 'eml' | 'emlx' | 'msg' | 'oft' | 'mbox' | 'mhtml' | 'mht'
/** Extensions of the family excel. */
export type ExcelExtension = 'xlsx' | 'xlsm' | 'xltx' | 'xltm' | 'xlsb' | 'xls' | 'ods' | 'numbers'
/** Extensions of the family image. */
export type ImageExtension =
  | 'avif'
  | 'avifs'
  | 'gif'
  | 'ico'
  | 'png'
  | 'tif'
  | 'tiff'
  | 'webp'
  | 'jpg'
  | 'jpeg'
  | 'jpe'
  | 'jfif'
  | 'apng'
  | 'bmp'
  | 'dib'
  | 'heic'
  | 'heif'
  | 'svg'
  | 'psd'
  | 'jp2'
  | 'j2k'
  | 'jxl'
/** Extensions of the family opendocument. */
export type OpendocumentExtension = 'odt' | 'ott' | 'fodt' | 'odg' | 'otg' | 'fodg' | 'odp' | 'otp' | 'fodp'
/** Extensions of the family pdf. */
export type PdfExtension = 'pdf' | 'ai'
/** Extensions of the family powerpoint. */
export type PowerpointExtension = 'pptx' | 'pptm' | 'ppsx' | 'ppsm' | 'potx' | 'potm' | 'ppt' | 'pps' | 'pot' | 'key'
/** Extensions of the family text. */
export type TextExtension =
  | 'txt'
  | 'text'
  | 'nfo'
  | 'adoc'
  | 'asciidoc'
  | 'textile'
  | 'log'
  | 'md'
  | 'markdown'
  | 'mdown'
  | 'mkd'
  | 'mdx'
  | 'rmd'
  | 'qmd'
  | 'rst'
  | 'org'
  | 'tex'
  | 'latex'
  | 'srt'
  | 'vtt'
  | 'as'
  | 'adb'
  | 'ads'
  | 'applescript'
  | 'ino'
  | 'asm'
  | 's'
  | 'nasm'
  | 'astro'
  | 'awk'
  | 'sh'
  | 'bash'
  | 'zsh'
  | 'ksh'
  | 'fish'
  | 'command'
  | 'bat'
  | 'cmd'
  | 'bib'
  | 'c'
  | 'h'
  | 'clj'
  | 'cljs'
  | 'cljc'
  | 'edn'
  | 'cmake'
  | 'coffee'
  | 'cc'
  | 'cpp'
  | 'cxx'
  | 'c++'
  | 'hpp'
  | 'hh'
  | 'hxx'
  | 'h++'
  | 'ipp'
  | 'tpp'
  | 'cr'
  | 'cs'
  | 'csx'
  | 'css'
  | 'cu'
  | 'cuh'
  | 'd'
  | 'dart'
  | 'diff'
  | 'patch'
  | 'dockerfile'
  | 'el'
  | 'ex'
  | 'exs'
  | 'elm'
  | 'erl'
  | 'hrl'
  | 'f'
  | 'f77'
  | 'f90'
  | 'f95'
  | 'f03'
  | 'for'
  | 'fs'
  | 'fsi'
  | 'fsx'
  | 'gd'
  | 'feature'
  | 'glsl'
  | 'vert'
  | 'frag'
  | 'go'
  | 'gradle'
  | 'graphql'
  | 'gql'
  | 'groovy'
  | 'hbs'
  | 'handlebars'
  | 'hs'
  | 'lhs'
  | 'hcl'
  | 'tf'
  | 'tfvars'
  | 'ini'
  | 'cfg'
  | 'conf'
  | 'editorconfig'
  | 'java'
  | 'js'
  | 'mjs'
  | 'cjs'
  | 'json5'
  | 'jsonc'
  | 'jsx'
  | 'jl'
  | 'kt'
  | 'kts'
  | 'less'
  | 'lisp'
  | 'lsp'
  | 'cl'
  | 'lua'
  | 'mk'
  | 'mak'
  | 'makefile'
  | 'm'
  | 'mmd'
  | 'mermaid'
  | 'nim'
  | 'nix'
  | 'mm'
  | 'ml'
  | 'mli'
  | 'pas'
  | 'pp'
  | 'dpr'
  | 'pl'
  | 'pm'
  | 'php'
  | 'phtml'
  | 'puml'
  | 'plantuml'
  | 'ps1'
  | 'psm1'
  | 'psd1'
  | 'prisma'
  | 'prolog'
  | 'properties'
  | 'env'
  | 'proto'
  | 'pug'
  | 'py'
  | 'pyw'
  | 'pyi'
  | 'pyx'
  | 'r'
  | 'rkt'
  | 'rb'
  | 'rake'
  | 'gemspec'
  | 'rs'
  | 'sass'
  | 'scala'
  | 'sc'
  | 'sbt'
  | 'scm'
  | 'ss'
  | 'scss'
  | 'sol'
  | 'sql'
  | 'ddl'
  | 'dml'
  | 'styl'
  | 'svelte'
  | 'swift'
  | 'tcl'
  | 'tsx'
  | 'cts'
  | 'vb'
  | 'bas'
  | 'vbs'
  | 'v'
  | 'sv'
  | 'svh'
  | 'vhd'
  | 'vhdl'
  | 'vim'
  | 'vue'
  | 'wgsl'
  | 'zig'
/** Extensions of the family video. */
export type VideoExtension =
  | 'mp4'
  | 'mov'
  | 'm4v'
  | 'mkv'
  | 'webm'
  | 'avi'
  | 'wmv'
  | 'asf'
  | 'flv'
  | 'mpg'
  | 'mpeg'
  | 'ts'
  | 'm2ts'
  | 'mts'
  | '3gp'
  | '3g2'
  | 'ogv'
  | 'mxf'
  | 'vob'
/** Extensions of the family web. */
export type WebExtension = 'html' | 'htm' | 'xhtml' | 'ipynb'
/** Extensions of the family word. */
export type WordExtension = 'docx' | 'docm' | 'dotx' | 'dotm' | 'doc' | 'dot' | 'rtf' | 'pages'
/** Extensions of files that the service takes. */
export type SourceExtension =
  | ArchiveExtension
  | AudioExtension
  | DataExtension
  | EbookExtension
  | EmailExtension
  | ExcelExtension
  | ImageExtension
  | OpendocumentExtension
  | PdfExtension
  | PowerpointExtension
  | TextExtension
  | VideoExtension
  | WebExtension
  | WordExtension

/** Capabilities by the family that has them. */
export type FamilyCapabilities = {
  archive: 'archive.listing' | 'archive.files' | 'archive.text' | 'archive.metadata'
  audio: 'audio.convert' | 'audio.metadata' | 'audio.cover' | 'audio.waveform' | 'audio.segments' | 'media.transcript'
  data: 'data.text' | 'data.markdown' | 'data.json' | 'data.tables' | 'data.metadata'
  ebook:
    | 'ebook.text'
    | 'ebook.markdown'
    | 'ebook.toc'
    | 'ebook.tables'
    | 'ebook.images'
    | 'ebook.cover'
    | 'ebook.metadata'
    | 'ebook.json'
    | 'ebook.chunks'
  email:
    | 'email.text'
    | 'email.markdown'
    | 'email.attachments'
    | 'email.images'
    | 'email.metadata'
    | 'email.json'
    | 'email.chunks'
  excel: 'excel.text' | 'excel.markdown' | 'excel.csv' | 'excel.json' | 'excel.images' | 'excel.metadata'
  image: 'image.metadata' | 'image.frames' | 'image.preview' | 'image.colors' | 'image.text' | 'image.markdown'
  opendocument:
    | 'opendocument.text'
    | 'opendocument.markdown'
    | 'opendocument.tables'
    | 'opendocument.images'
    | 'opendocument.metadata'
    | 'opendocument.comments'
    | 'opendocument.notes'
    | 'opendocument.json'
    | 'opendocument.chunks'
  pdf:
    | 'pdf.text'
    | 'pdf.markdown'
    | 'pdf.tables'
    | 'pdf.images'
    | 'pdf.metadata'
    | 'pdf.json'
    | 'pdf.chunks'
    | 'pdf.ocr'
    | 'pdf.pages'
    | 'pdf.attachments'
  powerpoint:
    | 'powerpoint.text'
    | 'powerpoint.markdown'
    | 'powerpoint.notes'
    | 'powerpoint.images'
    | 'powerpoint.metadata'
    | 'powerpoint.json'
    | 'powerpoint.chunks'
  text: 'text.text' | 'text.markdown' | 'text.metadata'
  video:
    | 'video.audio'
    | 'video.frames'
    | 'video.metadata'
    | 'video.subtitles'
    | 'video.chapters'
    | 'video.preview'
    | 'media.transcript'
  web:
    | 'web.text'
    | 'web.markdown'
    | 'web.tables'
    | 'web.links'
    | 'web.images'
    | 'web.metadata'
    | 'web.json'
    | 'web.chunks'
  word:
    | 'word.text'
    | 'word.markdown'
    | 'word.tables'
    | 'word.images'
    | 'word.metadata'
    | 'word.comments'
    | 'word.json'
    | 'word.chunks'
    | 'word.pages'
}

/** Values of the option 'encoding'. */
export type Encoding =
  | 'auto'
  | 'utf-8'
  | 'utf-16le'
  | 'utf-16be'
  | 'utf-32le'
  | 'utf-32be'
  | 'windows-1250'
  | 'windows-1251'
  | 'windows-1252'
  | 'windows-1253'
  | 'windows-1254'
  | 'windows-1255'
  | 'windows-1256'
  | 'windows-1257'
  | 'windows-1258'
  | 'windows-874'
  | 'iso-8859-1'
  | 'iso-8859-2'
  | 'iso-8859-5'
  | 'iso-8859-7'
  | 'iso-8859-9'
  | 'iso-8859-15'
  | 'koi8-r'
  | 'koi8-u'
  | 'macintosh'
  | 'ibm437'
  | 'ibm850'
  | 'ibm866'
  | 'gb18030'
  | 'big5'
  | 'shift_jis'
  | 'euc-jp'
  | 'iso-2022-jp'
  | 'euc-kr'

/** Options of each capability. An operator with formats of their own adds to it by declaration merging. */
export interface CapabilityOptions {
  'archive.listing': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** `json` and `csv` say everything; `text` is a tree to read. Default: ["json","text"]. */
    formats?: readonly ('json' | 'text' | 'csv')[]
  }
  'archive.files': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** Only files with names like this: `*.pdf, docs/**`. `*` stands for any characters of a name, `**\/` for any folders. Several between commas. Default: "". */
    include?: string
    /** No files with names like this. `*` stands for any characters of a name, `**\/` for any folders. Several between commas. Default: "". */
    exclude?: string
    /** How many files are taken, in the order of the archive. 1 to 10000. Default: 10000. */
    maxFiles?: number
    /** How many levels of archives inside the archive are unpacked too, each as a folder. 0 to 3. Default: 0. */
    depth?: number
  }
  'archive.text': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** `markdown` where a format gives it, plain text elsewhere. Default: "text". */
    form?: 'text' | 'markdown'
    /** Only files with names like this: `*.pdf, docs/**`. `*` stands for any characters of a name, `**\/` for any folders. Several between commas. Default: "". */
    include?: string
    /** No files with names like this. `*` stands for any characters of a name, `**\/` for any folders. Several between commas. Default: "". */
    exclude?: string
    /** How many files are taken, in the order of the archive. 1 to 10000. Default: 10000. */
    maxFiles?: number
    /** How many levels of archives inside the archive are read too. 0 to 3. Default: 2. */
    depth?: number
  }
  'archive.metadata': {
    /** Password of an encrypted file. Default: "". */
    password?: string
  }
  'audio.convert': {
    /** original: the stream as it is, without loss. best: as it is where players know it, else FLAC. Default: "mp3". */
    audioFormat?: 'mp3' | 'wav' | 'm4a' | 'original' | 'best'
    /** default: the track that a player would play. all: every track in a file of its own. Default: "default". */
    tracks?: 'default' | 'all'
  }
  'audio.metadata': {
    /** Whether the sound is decoded to measure loudness, true peak and silence. Default: true. */
    analysis?: boolean
    /** Sound below this level, in decibels of full scale, is silence. -120 to -10. Default: -50. */
    silenceLevelDb?: number
    /** Silence that is shorter is part of the sound. 0.05 to 60. Default: 0.5. */
    minSilenceSeconds?: number
  }
  'audio.cover': Record<string, never>
  'audio.waveform': {
    /** Width of the picture in pixels. 16 to 8192. Default: 1600. */
    width?: number
    /** Height of the picture in pixels. 16 to 2048. Default: 256. */
    height?: number
    /** Points in the JSON, at most. 1 to 20000. Default: 2000. */
    points?: number
  }
  'audio.segments': {
    /** Where to cut. auto: at chapters where the file has them, else at silence. Default: "auto". */
    segmentMode?: 'auto' | 'chapters' | 'silence' | 'fixed'
    /** original: the stream as it is, without loss. best: as it is where players know it, else FLAC. Default: "mp3". */
    audioFormat?: 'mp3' | 'wav' | 'm4a' | 'original' | 'best'
    /** Length of the parts where the mode is fixed. 1 to 86400. Default: 600. */
    segmentSeconds?: number
    /** At silence: a part that would be shorter goes on to the next silence. 0 to 86400. Default: 10. */
    minSegmentSeconds?: number
    /** At silence: a part that would be longer is also cut where there is none. 1 to 86400. Default: 1800. */
    maxSegmentSeconds?: number
    /** Sound below this level, in decibels of full scale, is silence. -120 to -10. Default: -50. */
    silenceLevelDb?: number
    /** Silence that is shorter is part of the sound. 0.05 to 60. Default: 0.5. */
    minSilenceSeconds?: number
  }
  'media.transcript': {
    /** Default: "fast". */
    'transcription.mode'?: 'fast' | 'quality' | 'meeting-intelligence'
  }
  'data.text': {
    /** Encoding of the source; auto looks at marks, validity, declarations and statistics. Default: "auto". */
    encoding?: Encoding
  }
  'data.markdown': {
    /** Encoding of the source; auto looks at marks, validity, declarations and statistics. Default: "auto". */
    encoding?: Encoding
    /** Delimited files: what stands between the cells. Default: "auto". */
    delimiter?: 'auto' | 'comma' | 'semicolon' | 'tab' | 'pipe' | 'colon' | 'space'
    /** Delimited files: whether the first row names the columns. Default: "auto". */
    header?: 'auto' | 'yes' | 'no'
  }
  'data.json': {
    /** Encoding of the source; auto looks at marks, validity, declarations and statistics. Default: "auto". */
    encoding?: Encoding
    /** Delimited files: what stands between the cells. Default: "auto". */
    delimiter?: 'auto' | 'comma' | 'semicolon' | 'tab' | 'pipe' | 'colon' | 'space'
    /** Delimited files: whether the first row names the columns. Default: "auto". */
    header?: 'auto' | 'yes' | 'no'
    /** Delimited files: each row as an object by column name, or as an array of cells. Default: "objects". */
    rows?: 'objects' | 'arrays'
    /** Delimited files: numbers and booleans as such where a whole column holds them; empty cells as null. Default: false. */
    typed?: boolean
    /** Layout of JSON that does not come from rows. Default: "pretty". */
    style?: 'pretty' | 'compact'
  }
  'data.tables': {
    /** Encoding of the source; auto looks at marks, validity, declarations and statistics. Default: "auto". */
    encoding?: Encoding
    /** Delimited files: what stands between the cells. Default: "auto". */
    delimiter?: 'auto' | 'comma' | 'semicolon' | 'tab' | 'pipe' | 'colon' | 'space'
    /** Delimited files: whether the first row names the columns. Default: "auto". */
    header?: 'auto' | 'yes' | 'no'
  }
  'data.metadata': {
    /** Encoding of the source; auto looks at marks, validity, declarations and statistics. Default: "auto". */
    encoding?: Encoding
    /** Delimited files: what stands between the cells. Default: "auto". */
    delimiter?: 'auto' | 'comma' | 'semicolon' | 'tab' | 'pipe' | 'colon' | 'space'
    /** Delimited files: whether the first row names the columns. Default: "auto". */
    header?: 'auto' | 'yes' | 'no'
  }
  'ebook.text': {
    /** Cells of a row parted by tabs, or padded to columns. Default: "tabs". */
    tableLayout?: 'tabs' | 'aligned'
  }
  'ebook.markdown': {
    /** `auto`: HTML where cells are merged, else pipes. `pipe`: what a merged cell says is repeated. Default: "auto". */
    tableFormat?: 'auto' | 'pipe' | 'html'
    /** `reference`: links to the extracted images, where those are selected. `embed`: inside the markdown. Default: "reference". */
    imageMode?: 'reference' | 'embed' | 'omit'
  }
  'ebook.toc': Record<string, never>
  'ebook.tables': {
    /** What stands in the places that a merged cell covers: what it says, or nothing. Default: "repeat". */
    mergedCells?: 'repeat' | 'blank'
  }
  'ebook.images': Record<string, never>
  'ebook.cover': Record<string, never>
  'ebook.metadata': Record<string, never>
  'ebook.json': Record<string, never>
  'ebook.chunks': {
    /** Most tokens of a chunk, as estimated. 64 to 8192. Default: 512. */
    maxTokens?: number
    /** Tokens that a chunk repeats of the one before it, in whole sentences; at most half a chunk. 0 to 1024. Default: 0. */
    overlapTokens?: number
    /** `auto`: HTML where cells are merged, else pipes. `pipe`: what a merged cell says is repeated. Default: "auto". */
    tableFormat?: 'auto' | 'pipe' | 'html'
  }
  'email.text': {
    /** Which body is read where a message has two. `auto`: HTML where it says something, else plain text. Default: "auto". */
    body?: 'auto' | 'html' | 'text'
    /** Earlier messages that a reply or forward carries: kept and marked as quotes, or left out. Default: "keep". */
    quotedText?: 'keep' | 'drop'
    /** Of a saved page (mhtml): without navigation and what else surrounds the content, or everything. Default: "main". */
    content?: 'main' | 'full'
    /** Of a mailbox: a file per message, or one file. `auto`: a file per message up to 1,000 messages. Default: "auto". */
    messages?: 'auto' | 'separate' | 'joined'
    /** Whether subject, sender, recipients and date stand above the body. Default: true. */
    headers?: boolean
    /** Cells of a row parted by tabs, or padded to columns. Default: "tabs". */
    tableLayout?: 'tabs' | 'aligned'
  }
  'email.markdown': {
    /** Which body is read where a message has two. `auto`: HTML where it says something, else plain text. Default: "auto". */
    body?: 'auto' | 'html' | 'text'
    /** Earlier messages that a reply or forward carries: kept and marked as quotes, or left out. Default: "keep". */
    quotedText?: 'keep' | 'drop'
    /** Of a saved page (mhtml): without navigation and what else surrounds the content, or everything. Default: "main". */
    content?: 'main' | 'full'
    /** Of a mailbox: a file per message, or one file. `auto`: a file per message up to 1,000 messages. Default: "auto". */
    messages?: 'auto' | 'separate' | 'joined'
    /** Whether subject, sender, recipients and date stand above the body. Default: true. */
    headers?: boolean
    /** `auto`: HTML where cells are merged, else pipes. `pipe`: what a merged cell says is repeated. Default: "auto". */
    tableFormat?: 'auto' | 'pipe' | 'html'
    /** `reference`: links to the extracted images, where those are selected. `embed`: inside the markdown. Default: "reference". */
    imageMode?: 'reference' | 'embed' | 'omit'
  }
  'email.attachments': {
    /** Whether images that the body shows come along. Default: true. */
    inline?: boolean
  }
  'email.images': {
    /** Which body is read where a message has two. `auto`: HTML where it says something, else plain text. Default: "auto". */
    body?: 'auto' | 'html' | 'text'
    /** Of a saved page (mhtml): without navigation and what else surrounds the content, or everything. Default: "main". */
    content?: 'main' | 'full'
  }
  'email.metadata': Record<string, never>
  'email.json': {
    /** Which body is read where a message has two. `auto`: HTML where it says something, else plain text. Default: "auto". */
    body?: 'auto' | 'html' | 'text'
    /** Earlier messages that a reply or forward carries: kept and marked as quotes, or left out. Default: "keep". */
    quotedText?: 'keep' | 'drop'
    /** Of a saved page (mhtml): without navigation and what else surrounds the content, or everything. Default: "main". */
    content?: 'main' | 'full'
  }
  'email.chunks': {
    /** Which body is read where a message has two. `auto`: HTML where it says something, else plain text. Default: "auto". */
    body?: 'auto' | 'html' | 'text'
    /** Earlier messages that a reply or forward carries: kept and marked as quotes, or left out. Default: "keep". */
    quotedText?: 'keep' | 'drop'
    /** Of a saved page (mhtml): without navigation and what else surrounds the content, or everything. Default: "main". */
    content?: 'main' | 'full'
    /** Most tokens of a chunk, as estimated. 64 to 8192. Default: 512. */
    maxTokens?: number
    /** Tokens that a chunk repeats of the one before it, in whole sentences; at most half a chunk. 0 to 1024. Default: 0. */
    overlapTokens?: number
    /** `auto`: HTML where cells are merged, else pipes. `pipe`: what a merged cell says is repeated. Default: "auto". */
    tableFormat?: 'auto' | 'pipe' | 'html'
  }
  'excel.text': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** Write hidden sheets too. Hidden rows and columns of a sheet are always written. Default: false. */
    includeHidden?: boolean
  }
  'excel.markdown': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** Write hidden sheets too. Hidden rows and columns of a sheet are always written. Default: false. */
    includeHidden?: boolean
    /** What stands in the places that a merged cell covers, besides the first: the same again, or nothing. Default: "repeat". */
    mergedCells?: 'repeat' | 'blank'
    /** Add a table of the numbers that each chart draws. Default: false. */
    charts?: boolean
    /** Rows written of each sheet; what comes after is left out, with a warning. 1 to 1048576. Default: 50000. */
    maxRows?: number
  }
  'excel.csv': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** Write hidden sheets too. Hidden rows and columns of a sheet are always written. Default: false. */
    includeHidden?: boolean
    /** What stands in the places that a merged cell covers, besides the first: the same again, or nothing. Default: "blank". */
    mergedCells?: 'repeat' | 'blank'
  }
  'excel.json': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** Write the formula of each cell that has one. Default: true. */
    formulas?: boolean
    /** Write the number format of each cell that has one. Default: true. */
    formats?: boolean
  }
  'excel.images': {
    /** Password of an encrypted file. Default: "". */
    password?: string
  }
  'excel.metadata': {
    /** Password of an encrypted file. Default: "". */
    password?: string
  }
  'image.metadata': Record<string, never>
  'image.frames': {
    /** Frames after this many are left out, with a warning. 1 to 10000. Default: 10000. */
    maxFrames?: number
  }
  'image.preview': {
    /** Longest side in pixels; smaller pictures keep their size. 16 to 4096. Default: 512. */
    size?: number
    /** JPEG has no transparency: what is clear becomes white. Default: "webp". */
    format?: 'webp' | 'png' | 'jpeg'
  }
  'image.colors': {
    /** Most colours in the palette. 1 to 32. Default: 8. */
    maxColors?: number
  }
  'image.text': {
    /** Languages of text in images, by their three-letter codes. Each more takes time. Default: ["eng"]. */
    languages?: readonly string[]
    /** `fast` is Tesseract. `quality` is PP-OCR, better on photographs and receipts, for English and Chinese only. `auto` takes the second where the first reads badly. Default: "auto". */
    ocrEngine?: 'auto' | 'fast' | 'quality'
    /** What stands between pages: the control character U+000C, a line such as `--- page 3 ---`, or nothing. Default: "form-feed". */
    pageBreaks?: 'form-feed' | 'line' | 'none'
  }
  'image.markdown': {
    /** Languages of text in images, by their three-letter codes. Each more takes time. Default: ["eng"]. */
    languages?: readonly string[]
    /** `fast` is Tesseract. `quality` is PP-OCR, better on photographs and receipts, for English and Chinese only. `auto` takes the second where the first reads badly. Default: "auto". */
    ocrEngine?: 'auto' | 'fast' | 'quality'
    /** `comment`: `<!-- page 3 -->` before each page. `rule`: `---` between pages. Default: "none". */
    pageBreaks?: 'none' | 'comment' | 'rule'
  }
  'opendocument.text': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** `keep`: hidden slides of a presentation too, marked as such. Default: "keep". */
    hiddenSlides?: 'keep' | 'drop'
    /** `keep`: the notes of the speaker after each slide of a presentation. Default: "drop". */
    notes?: 'drop' | 'keep'
    /** `keep`: where they stand. `separate`: in a file of their own. Default: "drop". */
    headersFooters?: 'drop' | 'keep' | 'separate'
    /** What stands between slides: the control character U+000C, a line such as `--- slide 3 ---`, or nothing. Default: "form-feed". */
    pageBreaks?: 'form-feed' | 'line' | 'none'
    /** Cells of a row parted by tabs, or padded to columns. Default: "tabs". */
    tableLayout?: 'tabs' | 'aligned'
  }
  'opendocument.markdown': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** `keep`: hidden slides of a presentation too, marked as such. Default: "keep". */
    hiddenSlides?: 'keep' | 'drop'
    /** `keep`: the notes of the speaker after each slide of a presentation. Default: "drop". */
    notes?: 'drop' | 'keep'
    /** `keep`: where they stand. `separate`: in a file of their own. Default: "drop". */
    headersFooters?: 'drop' | 'keep' | 'separate'
    /** `auto`: HTML where cells are merged, else pipes. `pipe`: what a merged cell says is repeated. Default: "auto". */
    tableFormat?: 'auto' | 'pipe' | 'html'
    /** `reference`: links to the extracted images, where those are selected. `embed`: inside the markdown. Default: "reference". */
    imageMode?: 'reference' | 'embed' | 'omit'
    /** What stands between slides, or where the author began a new page: nothing, a comment, or `---`. `auto`: `<!-- slide 3 -->` before each slide, nothing in texts. Default: "auto". */
    pageBreaks?: 'auto' | 'none' | 'comment' | 'rule'
  }
  'opendocument.tables': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** `keep`: hidden slides of a presentation too, marked as such. Default: "keep". */
    hiddenSlides?: 'keep' | 'drop'
    /** `keep`: the notes of the speaker after each slide of a presentation. Default: "drop". */
    notes?: 'drop' | 'keep'
    /** What stands in the places that a merged cell covers: what it says, or nothing. Default: "repeat". */
    mergedCells?: 'repeat' | 'blank'
  }
  'opendocument.images': {
    /** Password of an encrypted file. Default: "". */
    password?: string
  }
  'opendocument.metadata': {
    /** Password of an encrypted file. Default: "". */
    password?: string
  }
  'opendocument.comments': {
    /** Password of an encrypted file. Default: "". */
    password?: string
  }
  'opendocument.notes': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** `keep`: hidden slides of a presentation too, marked as such. Default: "keep". */
    hiddenSlides?: 'keep' | 'drop'
  }
  'opendocument.json': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** `keep`: hidden slides of a presentation too, marked as such. Default: "keep". */
    hiddenSlides?: 'keep' | 'drop'
    /** `keep`: the notes of the speaker after each slide of a presentation. Default: "drop". */
    notes?: 'drop' | 'keep'
  }
  'opendocument.chunks': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** `keep`: hidden slides of a presentation too, marked as such. Default: "keep". */
    hiddenSlides?: 'keep' | 'drop'
    /** `keep`: the notes of the speaker after each slide of a presentation. Default: "drop". */
    notes?: 'drop' | 'keep'
    /** Most tokens of a chunk, as estimated. 64 to 8192. Default: 512. */
    maxTokens?: number
    /** Tokens that a chunk repeats of the one before it, in whole sentences; at most half a chunk. 0 to 1024. Default: 0. */
    overlapTokens?: number
    /** Headers, footers and page numbers. Default: "drop". */
    headersFooters?: 'drop' | 'keep'
    /** `auto`: HTML where cells are merged, else pipes. `pipe`: what a merged cell says is repeated. Default: "auto". */
    tableFormat?: 'auto' | 'pipe' | 'html'
  }
  'pdf.text': {
    /** Pages and ranges of pages: `1-3,7,20-`. All unless told. Default: "". */
    pages?: string
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** Reading pages from their pictures. `auto`: only where their text is missing, garbled or plainly not all. Default: "auto". */
    ocr?: 'auto' | 'always' | 'never'
    /** Languages of text in images, by their three-letter codes. Each more takes time. Default: ["eng"]. */
    languages?: readonly string[]
    /** `fast` is Tesseract. `quality` is PP-OCR, better on photographs and receipts, for English and Chinese only. `auto` takes the second where the first reads badly. Default: "auto". */
    ocrEngine?: 'auto' | 'fast' | 'quality'
    /** `keep`: where they stand. `separate`: in a file of their own. Default: "drop". */
    headersFooters?: 'drop' | 'keep' | 'separate'
    /** What stands between pages: the control character U+000C, a line such as `--- page 3 ---`, or nothing. Default: "form-feed". */
    pageBreaks?: 'form-feed' | 'line' | 'none'
    /** Cells of a row parted by tabs, or padded to columns. Default: "tabs". */
    tableLayout?: 'tabs' | 'aligned'
  }
  'pdf.markdown': {
    /** Pages and ranges of pages: `1-3,7,20-`. All unless told. Default: "". */
    pages?: string
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** Reading pages from their pictures. `auto`: only where their text is missing, garbled or plainly not all. Default: "auto". */
    ocr?: 'auto' | 'always' | 'never'
    /** Languages of text in images, by their three-letter codes. Each more takes time. Default: ["eng"]. */
    languages?: readonly string[]
    /** `fast` is Tesseract. `quality` is PP-OCR, better on photographs and receipts, for English and Chinese only. `auto` takes the second where the first reads badly. Default: "auto". */
    ocrEngine?: 'auto' | 'fast' | 'quality'
    /** `keep`: where they stand. `separate`: in a file of their own. Default: "drop". */
    headersFooters?: 'drop' | 'keep' | 'separate'
    /** `auto`: HTML where cells are merged, else pipes. `pipe`: what a merged cell says is repeated. Default: "auto". */
    tableFormat?: 'auto' | 'pipe' | 'html'
    /** `reference`: links to the extracted images, where those are selected. `embed`: inside the markdown. Default: "reference". */
    imageMode?: 'reference' | 'embed' | 'omit'
    /** `comment`: `<!-- page 3 -->` before each page. `rule`: `---` between pages. Default: "none". */
    pageBreaks?: 'none' | 'comment' | 'rule'
  }
  'pdf.tables': {
    /** Pages and ranges of pages: `1-3,7,20-`. All unless told. Default: "". */
    pages?: string
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** Reading pages from their pictures. `auto`: only where their text is missing, garbled or plainly not all. Default: "auto". */
    ocr?: 'auto' | 'always' | 'never'
    /** Languages of text in images, by their three-letter codes. Each more takes time. Default: ["eng"]. */
    languages?: readonly string[]
    /** `fast` is Tesseract. `quality` is PP-OCR, better on photographs and receipts, for English and Chinese only. `auto` takes the second where the first reads badly. Default: "auto". */
    ocrEngine?: 'auto' | 'fast' | 'quality'
    /** What stands in the places that a merged cell covers: what it says, or nothing. Default: "repeat". */
    mergedCells?: 'repeat' | 'blank'
  }
  'pdf.images': {
    /** Pages and ranges of pages: `1-3,7,20-`. All unless told. Default: "". */
    pages?: string
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** Images with a shorter side are left out. 1 to 10000. Default: 8. */
    minSidePixels?: number
    /** More of them are left out. 1 to 5000. Default: 1000. */
    maxImages?: number
  }
  'pdf.metadata': {
    /** Password of an encrypted file. Default: "". */
    password?: string
  }
  'pdf.json': {
    /** Pages and ranges of pages: `1-3,7,20-`. All unless told. Default: "". */
    pages?: string
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** Reading pages from their pictures. `auto`: only where their text is missing, garbled or plainly not all. Default: "auto". */
    ocr?: 'auto' | 'always' | 'never'
    /** Languages of text in images, by their three-letter codes. Each more takes time. Default: ["eng"]. */
    languages?: readonly string[]
    /** `fast` is Tesseract. `quality` is PP-OCR, better on photographs and receipts, for English and Chinese only. `auto` takes the second where the first reads badly. Default: "auto". */
    ocrEngine?: 'auto' | 'fast' | 'quality'
  }
  'pdf.chunks': {
    /** Pages and ranges of pages: `1-3,7,20-`. All unless told. Default: "". */
    pages?: string
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** Reading pages from their pictures. `auto`: only where their text is missing, garbled or plainly not all. Default: "auto". */
    ocr?: 'auto' | 'always' | 'never'
    /** Languages of text in images, by their three-letter codes. Each more takes time. Default: ["eng"]. */
    languages?: readonly string[]
    /** `fast` is Tesseract. `quality` is PP-OCR, better on photographs and receipts, for English and Chinese only. `auto` takes the second where the first reads badly. Default: "auto". */
    ocrEngine?: 'auto' | 'fast' | 'quality'
    /** Most tokens of a chunk, as estimated. 64 to 8192. Default: 512. */
    maxTokens?: number
    /** Tokens that a chunk repeats of the one before it, in whole sentences; at most half a chunk. 0 to 1024. Default: 0. */
    overlapTokens?: number
    /** Headers, footers and page numbers. Default: "drop". */
    headersFooters?: 'drop' | 'keep'
    /** `auto`: HTML where cells are merged, else pipes. `pipe`: what a merged cell says is repeated. Default: "auto". */
    tableFormat?: 'auto' | 'pipe' | 'html'
  }
  'pdf.ocr': {
    /** Pages and ranges of pages: `1-3,7,20-`. All unless told. Default: "". */
    pages?: string
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** Languages of text in images, by their three-letter codes. Each more takes time. Default: ["eng"]. */
    languages?: readonly string[]
    /** `fast` is Tesseract. `quality` is PP-OCR, better on photographs and receipts, for English and Chinese only. `auto` takes the second where the first reads badly. Default: "auto". */
    ocrEngine?: 'auto' | 'fast' | 'quality'
    /** `auto` reads only pages without text of their own, `always` reads all. Default: "auto". */
    mode?: 'auto' | 'always'
    /** At which pages are drawn to be read. 100 to 600. Default: 300. */
    dpi?: number
  }
  'pdf.pages': {
    /** Pages and ranges of pages: `1-3,7,20-`. All unless told. Default: "". */
    pages?: string
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** Dots per inch. 36 to 600. Default: 150. */
    dpi?: number
    /** Default: "png". */
    format?: 'png' | 'jpeg' | 'webp'
    /** Of JPEG and WebP. 1 to 100. Default: 85. */
    quality?: number
    /** Default: false. */
    grayscale?: boolean
  }
  'pdf.attachments': {
    /** Password of an encrypted file. Default: "". */
    password?: string
  }
  'powerpoint.text': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** `keep`: hidden slides too, marked as such. Default: "keep". */
    hiddenSlides?: 'keep' | 'drop'
    /** `keep`: the notes of the speaker after each slide. Default: "drop". */
    notes?: 'drop' | 'keep'
    /** `keep`: where they stand. `separate`: in a file of their own. Default: "drop". */
    headersFooters?: 'drop' | 'keep' | 'separate'
    /** What stands between slides: the control character U+000C, a line such as `--- slide 3 ---`, or nothing. Default: "form-feed". */
    pageBreaks?: 'form-feed' | 'line' | 'none'
    /** Cells of a row parted by tabs, or padded to columns. Default: "tabs". */
    tableLayout?: 'tabs' | 'aligned'
  }
  'powerpoint.markdown': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** `keep`: hidden slides too, marked as such. Default: "keep". */
    hiddenSlides?: 'keep' | 'drop'
    /** `keep`: the notes of the speaker after each slide. Default: "drop". */
    notes?: 'drop' | 'keep'
    /** `keep`: where they stand. `separate`: in a file of their own. Default: "drop". */
    headersFooters?: 'drop' | 'keep' | 'separate'
    /** `auto`: HTML where cells are merged, else pipes. `pipe`: what a merged cell says is repeated. Default: "auto". */
    tableFormat?: 'auto' | 'pipe' | 'html'
    /** `reference`: links to the extracted images, where those are selected. `embed`: inside the markdown. Default: "reference". */
    imageMode?: 'reference' | 'embed' | 'omit'
    /** `comment`: `<!-- slide 3 -->` before each slide. `rule`: `---` between slides. Default: "comment". */
    pageBreaks?: 'none' | 'comment' | 'rule'
  }
  'powerpoint.notes': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** `keep`: hidden slides too, marked as such. Default: "keep". */
    hiddenSlides?: 'keep' | 'drop'
    /** Comments of reviewers too. Default: true. */
    comments?: boolean
  }
  'powerpoint.images': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** `slides`: a picture of each slide as it is shown. `embedded`: what the slides hold. Default: "embedded". */
    include?: 'embedded' | 'slides' | 'both'
    /** `all`: embedded sound and films too. Default: "images". */
    media?: 'images' | 'all'
    /** `keep`: hidden slides too, marked as such. Default: "keep". */
    hiddenSlides?: 'keep' | 'drop'
    /** Dots per inch. 36 to 600. Default: 150. */
    dpi?: number
    /** Default: "png". */
    format?: 'png' | 'jpeg' | 'webp'
    /** Of JPEG and WebP. 1 to 100. Default: 85. */
    quality?: number
    /** Default: false. */
    grayscale?: boolean
  }
  'powerpoint.metadata': {
    /** Password of an encrypted file. Default: "". */
    password?: string
  }
  'powerpoint.json': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** `keep`: hidden slides too, marked as such. Default: "keep". */
    hiddenSlides?: 'keep' | 'drop'
    /** `keep`: the notes of the speaker after each slide. Default: "drop". */
    notes?: 'drop' | 'keep'
  }
  'powerpoint.chunks': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** `keep`: hidden slides too, marked as such. Default: "keep". */
    hiddenSlides?: 'keep' | 'drop'
    /** `keep`: the notes of the speaker after each slide. Default: "drop". */
    notes?: 'drop' | 'keep'
    /** Most tokens of a chunk, as estimated. 64 to 8192. Default: 512. */
    maxTokens?: number
    /** Tokens that a chunk repeats of the one before it, in whole sentences; at most half a chunk. 0 to 1024. Default: 0. */
    overlapTokens?: number
    /** Headers, footers and page numbers. Default: "drop". */
    headersFooters?: 'drop' | 'keep'
    /** `auto`: HTML where cells are merged, else pipes. `pipe`: what a merged cell says is repeated. Default: "auto". */
    tableFormat?: 'auto' | 'pipe' | 'html'
  }
  'text.text': {
    /** Encoding of the source; auto looks at marks, validity, declarations and statistics. Default: "auto". */
    encoding?: Encoding
    /** lf ends every line in a line feed; keep leaves the ends as they are. Default: "lf". */
    newlines?: 'lf' | 'keep'
  }
  'text.markdown': {
    /** Encoding of the source; auto looks at marks, validity, declarations and statistics. Default: "auto". */
    encoding?: Encoding
    /** Subtitles: put the start time before each cue. Default: false. */
    timestamps?: boolean
    /** Subtitles: name the speaker where the voice changes. Default: false. */
    speakers?: boolean
  }
  'text.metadata': {
    /** Encoding of the source; auto looks at marks, validity, declarations and statistics. Default: "auto". */
    encoding?: Encoding
  }
  'video.audio': {
    /** original: the stream as it is, without loss. best: as it is where players know it, else FLAC. Default: "mp3". */
    audioFormat?: 'mp3' | 'wav' | 'm4a' | 'original' | 'best'
    /** default: the track that a player would play. all: every track in a file of its own. Default: "default". */
    tracks?: 'default' | 'all'
  }
  'video.frames': {
    /** evenly-spaced: maxExtractedFrames frames over the whole length. scene-change: the first frame of each scene. keyframes: those that are stored whole. Default: "every-n-seconds". */
    frameMode?: 'every-n-seconds' | 'evenly-spaced' | 'scene-change' | 'keyframes' | 'every-n-frames'
    /** Distance of the frames of every-n-seconds. 0.01 to 86400. Default: 1. */
    frameIntervalSeconds?: number
    /** Frames after this many are left out, with a warning. 1 to 5000. Default: 500. */
    maxExtractedFrames?: number
    /** Distance of the frames of every-n-frames. 1 to 1000000. Default: 30. */
    frameIntervalFrames?: number
    /** Format of the pictures. Default: "jpg". */
    format?: 'jpg' | 'png'
    /** Width of the pictures in pixels; 0, or more than the film has, keeps its own. 0 to 16384. Default: 0. */
    width?: number
  }
  'video.metadata': Record<string, never>
  'video.subtitles': Record<string, never>
  'video.chapters': Record<string, never>
  'video.preview': {
    /** Format of the animation. Default: "webp". */
    format?: 'webp' | 'gif'
    /** Width of the animation in pixels. 16 to 1920. Default: 480. */
    width?: number
  }
  'web.text': {
    /** `main`: without navigation and what else surrounds the content. `full`: everything a browser shows. Default: "main". */
    content?: 'main' | 'full'
    /** Of a notebook (ipynb): whether the outputs of its code come along. Default: true. */
    outputs?: boolean
    /** Cells of a row parted by tabs, or padded to columns. Default: "tabs". */
    tableLayout?: 'tabs' | 'aligned'
  }
  'web.markdown': {
    /** `main`: without navigation and what else surrounds the content. `full`: everything a browser shows. Default: "main". */
    content?: 'main' | 'full'
    /** Of a notebook (ipynb): whether the outputs of its code come along. Default: true. */
    outputs?: boolean
    /** `auto`: HTML where cells are merged, else pipes. `pipe`: what a merged cell says is repeated. Default: "auto". */
    tableFormat?: 'auto' | 'pipe' | 'html'
    /** `reference`: links to the extracted images, where those are selected. `embed`: inside the markdown. Default: "reference". */
    imageMode?: 'reference' | 'embed' | 'omit'
  }
  'web.tables': {
    /** `main`: without navigation and what else surrounds the content. `full`: everything a browser shows. Default: "main". */
    content?: 'main' | 'full'
    /** Of a notebook (ipynb): whether the outputs of its code come along. Default: true. */
    outputs?: boolean
    /** What stands in the places that a merged cell covers: what it says, or nothing. Default: "repeat". */
    mergedCells?: 'repeat' | 'blank'
  }
  'web.links': Record<string, never>
  'web.images': Record<string, never>
  'web.metadata': Record<string, never>
  'web.json': {
    /** `main`: without navigation and what else surrounds the content. `full`: everything a browser shows. Default: "main". */
    content?: 'main' | 'full'
    /** Of a notebook (ipynb): whether the outputs of its code come along. Default: true. */
    outputs?: boolean
  }
  'web.chunks': {
    /** `main`: without navigation and what else surrounds the content. `full`: everything a browser shows. Default: "main". */
    content?: 'main' | 'full'
    /** Of a notebook (ipynb): whether the outputs of its code come along. Default: true. */
    outputs?: boolean
    /** Most tokens of a chunk, as estimated. 64 to 8192. Default: 512. */
    maxTokens?: number
    /** Tokens that a chunk repeats of the one before it, in whole sentences; at most half a chunk. 0 to 1024. Default: 0. */
    overlapTokens?: number
    /** `auto`: HTML where cells are merged, else pipes. `pipe`: what a merged cell says is repeated. Default: "auto". */
    tableFormat?: 'auto' | 'pipe' | 'html'
  }
  'word.text': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** `keep`: where they stand. `separate`: in a file of their own. Default: "drop". */
    headersFooters?: 'drop' | 'keep' | 'separate'
    /** What stands where the author began a new page: the control character U+000C, a line, or nothing. Default: "form-feed". */
    pageBreaks?: 'form-feed' | 'line' | 'none'
    /** Cells of a row parted by tabs, or padded to columns. Default: "tabs". */
    tableLayout?: 'tabs' | 'aligned'
  }
  'word.markdown': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** `keep`: where they stand. `separate`: in a file of their own. Default: "drop". */
    headersFooters?: 'drop' | 'keep' | 'separate'
    /** `auto`: HTML where cells are merged, else pipes. `pipe`: what a merged cell says is repeated. Default: "auto". */
    tableFormat?: 'auto' | 'pipe' | 'html'
    /** `reference`: links to the extracted images, where those are selected. `embed`: inside the markdown. Default: "reference". */
    imageMode?: 'reference' | 'embed' | 'omit'
    /** What stands where the author began a new page: nothing, a comment, or `---`. Default: "none". */
    pageBreaks?: 'none' | 'comment' | 'rule'
  }
  'word.tables': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** What stands in the places that a merged cell covers: what it says, or nothing. Default: "repeat". */
    mergedCells?: 'repeat' | 'blank'
  }
  'word.images': {
    /** Password of an encrypted file. Default: "". */
    password?: string
  }
  'word.metadata': {
    /** Password of an encrypted file. Default: "". */
    password?: string
  }
  'word.comments': {
    /** Password of an encrypted file. Default: "". */
    password?: string
  }
  'word.json': {
    /** Password of an encrypted file. Default: "". */
    password?: string
  }
  'word.chunks': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** Most tokens of a chunk, as estimated. 64 to 8192. Default: 512. */
    maxTokens?: number
    /** Tokens that a chunk repeats of the one before it, in whole sentences; at most half a chunk. 0 to 1024. Default: 0. */
    overlapTokens?: number
    /** Headers, footers and page numbers. Default: "drop". */
    headersFooters?: 'drop' | 'keep'
    /** `auto`: HTML where cells are merged, else pipes. `pipe`: what a merged cell says is repeated. Default: "auto". */
    tableFormat?: 'auto' | 'pipe' | 'html'
  }
  'word.pages': {
    /** Password of an encrypted file. Default: "". */
    password?: string
    /** Pages and ranges of pages: `1-3,7,20-`. All unless told. Default: "". */
    pages?: string
    /** Dots per inch. 36 to 600. Default: 150. */
    dpi?: number
    /** Default: "png". */
    format?: 'png' | 'jpeg' | 'webp'
    /** Of JPEG and WebP. 1 to 100. Default: 85. */
    quality?: number
    /** Default: false. */
    grayscale?: boolean
  }
}
/** A capability that a job can ask for. */
export type CapabilityId = keyof CapabilityOptions

/** What `transcribe` takes. */
export type TranscriptionOptions = {
  /** Default: "fast". */
  mode?: 'fast' | 'quality' | 'meeting-intelligence'
  /** BCP-47, or auto. Default: "auto". */
  language?: string
  /** Whether the result holds transcript.txt. Default: true. */
  includeTxt?: boolean
  /** Whether the result holds transcript.json. Default: true. */
  includeJson?: boolean
  /** Whether the result holds transcript.pdf. Default: true. */
  includePdf?: boolean
  /** Whether the result holds transcript.docx. Default: true. */
  includeDocx?: boolean
  /** Whether the result holds transcript.md. Default: true. */
  includeMarkdown?: boolean
  /** Whether the result holds transcript.epub. Default: true. */
  includeEpub?: boolean
  /** Whether the result holds transcript.srt. Default: true. */
  includeSrt?: boolean
  /** Whether the result holds transcript.vtt. Default: true. */
  includeVtt?: boolean
}
/** How a transcript is made; they differ in price. */
export type TranscriptionMode = NonNullable<TranscriptionOptions['mode']>
