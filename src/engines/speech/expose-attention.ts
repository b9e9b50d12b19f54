import { concat, type Field, field, integerField, readFields } from './protobuf.ts'

// Field numbers of onnx.proto.
const MODEL_GRAPH = 7
const GRAPH_NODE = 1
const GRAPH_OUTPUT = 12
const NODE_OUTPUT = 2
const NODE_ATTRIBUTE = 5
const ATTRIBUTE_GRAPH = 6
const FLOAT = 1

/** The name that the attention of a layer gets among the outputs of the model. */
export const attentionOutput = (layer: number): string => `cross_attention.${layer}`

/**
 * Adds the attention of every decoder layer to the outputs of an ONNX decoder that is one choice between two graphs.
 * It tells when each word was spoken, and the model as it comes keeps it to itself.
 */
export const exposeAttention = (model: Uint8Array): Uint8Array => editFields(model, MODEL_GRAPH, editGraph)

/** Rewrites the bodies of all fields of one number and leaves the rest as it is. */
const editFields = (message: Uint8Array, number: number, edit: (body: Uint8Array) => Uint8Array): Uint8Array =>
  concat(...readFields(message).map((part) => (isBody(part, number) ? field(number, edit(part.body)) : part.raw)))

const isBody = (part: Field, number: number): part is Field & { body: Uint8Array } =>
  part.number === number && part.body !== undefined

const editGraph = (graph: Uint8Array): Uint8Array => {
  const outputs = findBranches(graph).map((_, layer) => attentionOutput(layer))
  if (outputs.length === 0) throw new Error('the decoder has no attention to its encoder that could be shown')
  const choice = editFields(graph, GRAPH_NODE, (node) =>
    concat(editFields(node, NODE_ATTRIBUTE, editBranch), ...outputs.map((name) => field(NODE_OUTPUT, name))),
  )
  return concat(choice, ...outputs.map(declareOutput))
}

const editBranch = (attribute: Uint8Array): Uint8Array =>
  editFields(attribute, ATTRIBUTE_GRAPH, (branch) => concat(branch, ...findAttention(branch).map(declareOutput)))

/** The attention values of the graphs that the one node chooses between; both have the same layers. */
const findBranches = (graph: Uint8Array): string[] =>
  bodiesOf(graph, GRAPH_NODE)
    .flatMap((node) => bodiesOf(node, NODE_ATTRIBUTE))
    .flatMap((attribute) => bodiesOf(attribute, ATTRIBUTE_GRAPH))
    .map(findAttention)
    .toSorted((a, b) => b.length - a.length)[0] ?? []

const ATTENTION = /layers\.(\d+)\/encoder_attn\/Softmax_output_0$/

const findAttention = (graph: Uint8Array): string[] =>
  bodiesOf(graph, GRAPH_NODE)
    .flatMap((node) => bodiesOf(node, NODE_OUTPUT))
    .map((name) => Buffer.from(name).toString('utf8'))
    .filter((name) => ATTENTION.test(name))
    .toSorted((a, b) => Number(ATTENTION.exec(a)?.[1]) - Number(ATTENTION.exec(b)?.[1]))

const bodiesOf = (message: Uint8Array, number: number): Uint8Array[] =>
  readFields(message).flatMap((part) => (isBody(part, number) ? [part.body] : []))

/** A ValueInfoProto: a name, and a tensor type of which only the kind of number is told. */
const declareOutput = (name: string): Uint8Array =>
  field(GRAPH_OUTPUT, field(1, name), field(2, field(1, integerField(1, FLOAT))))
