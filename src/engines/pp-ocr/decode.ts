/** A letter that was read: what it is, how sure, and in which step of the line. */
export type Letter = { text: string; confidence: number; step: number }

/** Reads the likelihoods of one line, `steps` rows of `classes`: a class that repeats is one letter, class 0 is none. */
export const decodeLine = (
  likelihoods: Float32Array,
  steps: number,
  classes: number,
  alphabet: readonly string[],
): Letter[] => {
  const letters: Letter[] = []
  let last = 0
  for (let step = 0; step < steps; step++) {
    const from = step * classes
    let best = 0
    let value = -1
    for (let i = 0; i < classes; i++) {
      const likelihood = likelihoods[from + i] ?? 0
      if (likelihood > value) {
        value = likelihood
        best = i
      }
    }
    const previous = letters.at(-1)
    if (best !== 0 && best !== last) letters.push({ text: alphabet[best] ?? '', confidence: value, step })
    else if (best !== 0 && previous && value > previous.confidence) {
      // The step in which a letter is clearest is where it stands.
      previous.confidence = value
      previous.step = step
    }
    last = best
  }
  return letters
}
