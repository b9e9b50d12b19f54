import { findMatrix, type Matrix, readComponent, readNumber } from './kaldi.ts'
import { concat, field, floatBytes, integerField } from './protobuf.ts'

/** Numbers that describe 10 ms of a voice. */
export const VOICE_FEATURES = 23
/** Numbers that describe a voice in the end. */
export const VOICE_SIZE = 128

/** The layers of the network: how many frames each looks at, and how far apart they are. */
const LAYERS = [
  { name: 'tdnn1', taps: 5, dilation: 1 },
  { name: 'tdnn2', taps: 3, dilation: 2 },
  { name: 'tdnn3', taps: 3, dilation: 3 },
  { name: 'tdnn4', taps: 1, dilation: 1 },
  { name: 'tdnn5', taps: 1, dilation: 1 },
] as const

/** Frames that the network needs beyond those it gives. */
export const VOICE_CONTEXT_FRAMES = LAYERS.reduce((sum, { taps, dilation }) => sum + (taps - 1) * dilation, 0)

const FLOAT = 1
const ATTRIBUTE_INTS = 7

/** Writes the part of a Kaldi x-vector network that works frame by frame as an ONNX model. */
export const writeVoiceFrames = (network: Buffer): Uint8Array => {
  const nodes: Uint8Array[] = []
  const weights: Uint8Array[] = []
  let input = 'features'
  let size = VOICE_FEATURES
  for (const { name, taps, dilation } of LAYERS) {
    const { rows, values } = readComponent(network, `${name}.affine`, 'LinearParams')
    const kernel = new Float32Array(values.length)
    // Kaldi puts the frames one behind the other, a convolution wants each input's frames together.
    for (let row = 0; row < rows; row += 1)
      for (let tap = 0; tap < taps; tap += 1)
        for (let column = 0; column < size; column += 1)
          kernel[(row * size + column) * taps + tap] = values[(row * taps + tap) * size + column] as number
    const { scale, shift } = readNorm(network, `${name}.batchnorm`)
    const bias = readComponent(network, `${name}.affine`, 'BiasParams').values
    weights.push(
      tensor(`${name}.kernel`, [rows, size, taps], kernel),
      tensor(`${name}.bias`, [rows], bias),
      tensor(`${name}.scale`, [1, rows, 1], scale),
      tensor(`${name}.shift`, [1, rows, 1], shift),
    )
    const attributes = [integers('dilations', [dilation]), integers('kernel_shape', [taps])]
    nodes.push(
      node('Conv', [input, `${name}.kernel`, `${name}.bias`], `${name}.sum`, attributes),
      node('Relu', [`${name}.sum`], `${name}.positive`),
      node('Mul', [`${name}.positive`, `${name}.scale`], `${name}.scaled`),
      node('Add', [`${name}.scaled`, `${name}.shift`], name),
    )
    input = name
    size = rows
  }
  const ends = [declare(11, 'features', [1, VOICE_FEATURES, 'frames']), declare(12, input, [1, size, 'given'])]
  const graph = field(7, ...nodes, field(2, 'voices'), ...weights, ...ends)
  return concat(integerField(1, 8), graph, field(8, field(1, ''), integerField(2, 13)))
}

/**
 * Writes the rest of the network, which turns the mean and spread of all frames into a voice, as one matrix: two
 * layers without anything between them are one. The last column is added.
 */
export const writeVoiceProjection = (network: Buffer, transformFile: Buffer, meanFile: Buffer): Uint8Array => {
  const layer = readComponent(network, 'tdnn6.affine', 'LinearParams')
  const bias = readComponent(network, 'tdnn6.affine', 'BiasParams').values
  const transform = findMatrix(transformFile)
  const mean = findMatrix(meanFile).values
  const columns = layer.columns + 1
  const out = new Float32Array(transform.rows * columns)
  for (let row = 0; row < transform.rows; row += 1) {
    let offset = transform.columns > layer.rows ? at(transform, row, layer.rows) : 0
    for (let inner = 0; inner < layer.rows; inner += 1) {
      const weight = at(transform, row, inner)
      offset += weight * ((bias[inner] ?? 0) - (mean[inner] ?? 0))
      for (let column = 0; column < layer.columns; column += 1) {
        const place = row * columns + column
        out[place] = (out[place] as number) + weight * at(layer, inner, column)
      }
    }
    out[row * columns + layer.columns] = offset
  }
  return floatBytes(out)
}

const at = ({ columns, values }: Matrix, row: number, column: number): number =>
  values[row * columns + column] as number

/** What a batch normalization has learned, as one multiplication and one addition. */
const readNorm = (network: Buffer, component: string): { scale: Float32Array; shift: Float32Array } => {
  const mean = readComponent(network, component, 'StatsMean').values
  const variance = readComponent(network, component, 'StatsVar').values
  const epsilon = readNumber(network, component, 'Epsilon')
  const scale = variance.map((value) => 1 / Math.sqrt(value + epsilon))
  return { scale, shift: mean.map((value, index) => -value * (scale[index] as number)) }
}

const tensor = (name: string, shape: readonly number[], values: Float32Array): Uint8Array => {
  const sizes = shape.map((size) => integerField(1, size))
  return field(5, ...sizes, integerField(2, FLOAT), field(8, name), field(9, floatBytes(values)))
}

const node = (type: string, inputs: readonly string[], output: string, attributes: readonly Uint8Array[] = []) =>
  field(1, ...inputs.map((name) => field(1, name)), field(2, output), field(4, type), ...attributes)

const integers = (name: string, values: readonly number[]): Uint8Array =>
  field(5, field(1, name), ...values.map((value) => integerField(8, value)), integerField(20, ATTRIBUTE_INTS))

/** A ValueInfoProto of numbers; a size that is a text may be any. */
const declare = (number: number, name: string, shape: readonly (number | string)[]): Uint8Array => {
  const sizes = shape.map((size) => field(1, typeof size === 'string' ? field(2, size) : integerField(1, size)))
  return field(number, field(1, name), field(2, field(1, integerField(1, FLOAT), field(2, ...sizes))))
}
