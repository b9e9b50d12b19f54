import type { ModelName } from '../../engines/speech/models.ts'
import type { MoonshineSize } from '../../engines/speech/moonshine.ts'

/** The name of the engine that needs nobody. */
export const BUILT_IN = 'built-in'

/** The mode in which speakers are told apart and the meeting is analyzed. */
export const MEETING = 'meeting-intelligence'

/** The size of the model that serves a transcription mode. */
export const sizeOf = (mode: string): MoonshineSize => (mode === 'fast' ? 'tiny' : 'base')

/** The weights without which the built-in engine cannot serve a mode. */
export const modelsOf = (mode: string): ModelName[] => {
  const size = sizeOf(mode)
  const voices: ModelName[] = mode === MEETING ? ['voice frames', 'voice projection'] : []
  return ['speech', `${size} encoder`, `${size} decoder`, ...voices]
}
