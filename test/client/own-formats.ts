/** Formats of the tests, told to the client the way an operator tells it of formats of their own. */
declare module '../../packages/client/src/generated.ts' {
  interface CapabilityOptions {
    'deck.text': { lineEnding?: 'lf' | 'crlf'; includeNumbers?: boolean }
    'deck.images': { layout?: 'single' | 'handout'; maxImages?: number; scale?: number }
    'deck.notes': { password?: string; language?: string; parts?: readonly ('titles' | 'notes')[] }
    'mischief.act': Record<string, never>
    'mischief.more': Record<string, never>
  }
}

export type {}
