import { expect, test } from 'vitest'
import { attentionOutput, exposeAttention } from './expose-attention.ts'
import { concat, field, integerField, readFields } from './protobuf.ts'

const softmax = (layer: number) => `/model/decoder/layers.${layer}/encoder_attn/Softmax_output_0`
const branch = field(6, field(1, field(2, softmax(1))), field(1, field(2, softmax(0))), field(1, field(2, 'other')))
const choice = field(
  1,
  field(2, 'logits'),
  field(5, field(1, 'then_branch'), branch),
  field(5, field(1, 'else_branch'), branch),
)
const model = concat(integerField(1, 8), field(7, choice, field(12, field(1, 'logits'))))

const texts = (message: Uint8Array, ...path: number[]): string[] => {
  const [number, ...rest] = path
  const found = readFields(message)
    .filter((part) => part.number === number)
    .map(({ body }) => body ?? new Uint8Array())
  return rest.length === 0
    ? found.map((body) => Buffer.from(body).toString())
    : found.flatMap((body) => texts(body, ...rest))
}

test('the attention of each layer becomes an output of both branches, of the choice and of the model', () => {
  const edited = exposeAttention(model)
  expect(texts(edited, 7, 12, 1)).toEqual(['logits', attentionOutput(0), attentionOutput(1)])
  expect(texts(edited, 7, 1, 2)).toEqual(['logits', attentionOutput(0), attentionOutput(1)])
  expect(texts(edited, 7, 1, 5, 6, 12, 1)).toEqual([softmax(0), softmax(1), softmax(0), softmax(1)])
  expect(edited.subarray(0, 2)).toEqual(model.subarray(0, 2))
})

test('a model without any is refused', () => {
  expect(() => exposeAttention(concat(field(7, field(1, field(2, 'logits')))))).toThrow('no attention')
})
