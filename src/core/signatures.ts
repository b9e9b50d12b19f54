/**
 * Byte patterns at the head of well-known files. Comparing a few bytes is all the server itself does with an upload;
 * everything that parses runs in the sandbox. Only patterns that text cannot start with by chance are listed.
 */
const SIGNATURES = {
  pdf: [{ at: 0, hex: '255044462d' }],
  zip: [
    { at: 0, hex: '504b0304' },
    { at: 0, hex: '504b0506' },
    { at: 0, hex: '504b0708' },
  ],
  ole: [{ at: 0, hex: 'd0cf11e0a1b11ae1' }],
  png: [{ at: 0, hex: '89504e470d0a1a0a' }],
  jpeg: [{ at: 0, hex: 'ffd8ff' }],
  gif: [
    { at: 0, hex: '474946383761' },
    { at: 0, hex: '474946383961' },
  ],
  tiff: [
    { at: 0, hex: '49492a00' },
    { at: 0, hex: '4d4d002a' },
  ],
  psd: [{ at: 0, hex: '384250530001' }],
  jp2: [{ at: 0, hex: '0000000c6a5020200d0a870a' }],
  jxl: [{ at: 0, hex: '0000000c4a584c200d0a870a' }],
  isobmff: [{ at: 4, hex: '66747970' }],
  matroska: [{ at: 0, hex: '1a45dfa3' }],
  riff: [
    { at: 0, hex: '52494646........57415645' },
    { at: 0, hex: '52494646........41564920' },
    { at: 0, hex: '52494646........57454250' },
  ],
  ogg: [{ at: 0, hex: '4f67675300' }],
  flac: [{ at: 0, hex: '664c614300' }],
  asf: [{ at: 0, hex: '3026b2758e66cf11a6d900aa0062ce6c' }],
  id3: [
    { at: 0, hex: '4944330200' },
    { at: 0, hex: '4944330300' },
    { at: 0, hex: '4944330400' },
  ],
  aiff: [
    { at: 0, hex: '464f524d........41494646' },
    { at: 0, hex: '464f524d........41494643' },
  ],
  rf64: [
    { at: 0, hex: '52463634........57415645' },
    { at: 0, hex: '42573634........57415645' },
  ],
  w64: [{ at: 0, hex: '726966662e91cf11a5d628db04c10000' }],
  amr: [
    { at: 0, hex: '2321414d520a' },
    { at: 0, hex: '2321414d522d57420a' },
  ],
  caf: [{ at: 0, hex: '636166660001' }],
  au: [{ at: 0, hex: '2e736e640000' }],
  ape: [
    { at: 0, hex: '4d414320..0e' },
    { at: 0, hex: '4d414320..0f' },
  ],
  // The high byte of the version, which is 0x402 to 0x410.
  wavpack: [{ at: 0, hex: '7776706b..........04' }],
  tta: [{ at: 0, hex: '545441310100' }],
  gzip: [{ at: 0, hex: '1f8b08' }],
  bzip2: [
    { at: 0, hex: '425a68..314159265359' },
    { at: 0, hex: '425a68..177245385090' },
  ],
  xz: [{ at: 0, hex: 'fd377a585a00' }],
  zstd: [{ at: 0, hex: '28b52ffd' }],
  '7z': [{ at: 0, hex: '377abcaf271c' }],
  rar: [{ at: 0, hex: '526172211a07' }],
  cab: [{ at: 0, hex: '4d53434600000000' }],
  tar: [{ at: 257, hex: '7573746172' }],
  sqlite: [{ at: 0, hex: '53514c69746520666f726d6174203300' }],
  elf: [{ at: 0, hex: '7f454c46' }],
  mobi: [
    { at: 60, hex: '424f4f4b4d4f4249' },
    { at: 60, hex: '5445587452454164' },
  ],
  rtf: [{ at: 0, hex: '7b5c727466' }],
} as const satisfies Record<string, readonly { at: number; hex: string }[]>
export type SignatureName = keyof typeof SIGNATURES

/** How many bytes of a file's head `detectSignature` wants to see. */
export const SIGNATURE_BYTES = 512

/** Names the well-known kind of file whose head this is; undefined for text and for everything not listed. */
export const detectSignature = (head: Uint8Array): SignatureName | undefined => {
  const hex = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, SIGNATURE_BYTES)).toString('hex')
  for (const [name, patterns] of Object.entries(SIGNATURES)) {
    for (const { at, hex: pattern } of patterns as readonly { at: number; hex: string }[]) {
      const found = hex.slice(at * 2, at * 2 + pattern.length)
      if (found.length === pattern.length && matches(found, pattern)) return name as SignatureName
    }
  }
  return undefined
}

const matches = (found: string, pattern: string): boolean => {
  for (let i = 0; i < pattern.length; i++) if (pattern[i] !== '.' && pattern[i] !== found[i]) return false
  return true
}
