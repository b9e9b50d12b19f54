/** Which of the bodies is read, where a message has the same in two forms. */
export const bodyOption = {
  type: 'enum',
  allowedValues: ['auto', 'html', 'text'],
  defaultValue: 'auto',
  shared: true,
  detail: 'Which body is read where a message has two. `auto`: HTML where it says something, else plain text.',
} as const

/** What becomes of the earlier messages that a reply carries along. */
export const quotedTextOption = {
  type: 'enum',
  allowedValues: ['keep', 'drop'],
  defaultValue: 'keep',
  shared: true,
  detail: 'Earlier messages that a reply or forward carries: kept and marked as quotes, or left out.',
} as const

/** How the messages of a mailbox come out. */
export const messagesOption = {
  type: 'enum',
  allowedValues: ['auto', 'separate', 'joined'],
  defaultValue: 'auto',
  shared: true,
  detail: 'Of a mailbox: a file per message, or one file. `auto`: a file per message up to 1,000 messages.',
} as const

/** Whether the text of a message begins with who wrote it. */
export const headersOption = {
  type: 'boolean',
  defaultValue: true,
  detail: 'Whether subject, sender, recipients and date stand above the body.',
} as const

/** Which part of a saved page is meant. */
export const contentOption = {
  type: 'enum',
  allowedValues: ['main', 'full'],
  defaultValue: 'main',
  shared: true,
  detail: 'Of a saved page (mhtml): without navigation and what else surrounds the content, or everything.',
} as const

/** Options of everything that reads the body. */
export const readingOptions = { body: bodyOption, quotedText: quotedTextOption, content: contentOption } as const

export type ReadingOptions = {
  body: 'auto' | 'html' | 'text'
  quotedText: 'keep' | 'drop'
  content: 'main' | 'full'
}
