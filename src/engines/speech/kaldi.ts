/** A matrix by rows, or a vector of one row. */
export type Matrix = { rows: number; columns: number; values: Float32Array }

/** Reads the matrix or vector of single numbers that lies at this place of a Kaldi file in its binary form. */
export const readMatrix = (file: Buffer, offset: number): Matrix => {
  const kind = file.toString('latin1', offset, offset + 3)
  if (kind !== 'FM ' && kind !== 'FV ') throw new Error(`no matrix at ${offset}`)
  // Each size is preceded by a byte that says how long it is.
  const rows = kind === 'FM ' ? file.readInt32LE(offset + 4) : 1
  const columns = file.readInt32LE(kind === 'FM ' ? offset + 9 : offset + 4)
  const start = offset + (kind === 'FM ' ? 13 : 8)
  const bytes = file.buffer.slice(file.byteOffset + start, file.byteOffset + start + rows * columns * 4)
  return { rows, columns, values: new Float32Array(bytes) }
}

/** Finds the first matrix or vector in a file that holds little else. */
export const findMatrix = (file: Buffer): Matrix => {
  const places = ['FM ', 'FV '].map((kind) => file.indexOf(kind, 0, 'latin1')).filter((place) => place >= 0)
  if (places.length > 0) return readMatrix(file, Math.min(...places))
  const words = file.toString('latin1').replace(/[[\]]/g, ' ').trim().split(/\s+/)
  const values = Float32Array.from(words, Number)
  return { rows: 1, columns: values.length, values }
}

/** Reads a value of a component of a neural network by its names. */
export const readComponent = (file: Buffer, component: string, name: string): Matrix =>
  readMatrix(file, findValue(file, component, name))

/** Reads a single number of a component. */
export const readNumber = (file: Buffer, component: string, name: string): number =>
  file.readFloatLE(findValue(file, component, name) + 1)

const findValue = (file: Buffer, component: string, name: string): number => {
  const start = file.indexOf(`<ComponentName> ${component} `, 0, 'latin1')
  const found = start < 0 ? -1 : file.indexOf(`<${name}> `, start, 'latin1')
  const next = file.indexOf('<ComponentName> ', start + 1, 'latin1')
  if (found < 0 || (next >= 0 && found > next)) throw new Error(`the network has no ${name} of ${component}`)
  return found + name.length + 3
}
