const PIECE_CHARACTERS = 65_536

/** What a writer gives, in pieces large enough to be worth a write. */
export async function* streamPieces(pieces: Iterable<string>): AsyncGenerator<string> {
  let pending = ''
  for (const piece of pieces) {
    pending += piece
    if (pending.length < PIECE_CHARACTERS) continue
    yield pending
    pending = ''
  }
  if (pending !== '') yield pending
}
