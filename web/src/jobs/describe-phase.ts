/** What a capability makes, where the last part of its id does not say it. */
const OUTPUTS: Readonly<Record<string, string>> = {
  audio: 'sound',
  convert: 'sound',
  csv: 'tables',
  json: 'structured data',
  listing: 'list of files',
  markdown: 'Markdown',
  ocr: 'text by OCR',
  toc: 'table of contents',
}

/** What a capability makes, in words: `video.frames` makes `frames`. */
export const nameOutput = (capabilityId: string): string => {
  const last = capabilityId.split('.').at(-1) ?? capabilityId
  return capabilityId === 'media.transcript' ? 'transcript' : (OUTPUTS[last] ?? last)
}

/** What a running job is at, in words. */
export const describePhase = (phase: string | null): string => {
  if (phase === null) return 'Starting'
  return phase === 'media.transcript' ? 'Writing down what is said' : `Extracting: ${nameOutput(phase)}`
}
