import type { Context, Source } from '../../core/catalog.ts'
import { perSource } from '../shared/per-source.ts'
import type { Book } from './book.ts'
import { readEpub } from './epub/read-epub.ts'
import { readFb2 } from './fb2/read-fb2.ts'
import { readMobi } from './mobi/read-mobi.ts'

/** Reads a book of any format, once for all capabilities of a job. */
export const readBook = perSource(async (source: Source, context: Context): Promise<Book> => {
  switch (source.extension) {
    case 'epub':
      return await readEpub(source, context)
    case 'fb2':
    case 'fbz':
      return await readFb2(source, context)
    default:
      return await readMobi(source, context)
  }
})
