import { clusterVoices, compareVoices, meanVoice } from './cluster-voices.ts'

/** A voice and when it was heard. */
export type VoiceSample = { startSeconds: number; endSeconds: number; voice: Float32Array }

/** Two samples of one person are more alike than that, two of different people less. */
const SAME_PERSON = 0.35
/** More would take too long to compare each with each; the others then join the nearest group. */
const MAX_COMPARED = 2_000
/** Someone heard for less is more likely a bad sample of someone else; samples overlap, which counts their seconds twice. */
const MIN_SPEAKER_SECONDS = 6
/** Likeness that a change of speaker must gain: people do not take turns every second. */
const CHANGE_COST = 0.25
/** After a pause of so many seconds anyone may speak. */
const FREE_CHANGE_SECONDS = 1.2
const ROUNDS = 4

/** Tells for each sample, in the order of time, which speaker it is; speakers are counted from 0 as they are heard. */
export const tellSpeakers = (samples: readonly VoiceSample[]): number[] => {
  let centers = findCenters(samples)
  let labels: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    labels = followTurns(samples, centers)
    centers = centers.flatMap((_, label) => {
      const own = samples.filter((_sample, index) => labels[index] === label)
      return own.length === 0 ? [] : [meanVoice(own.map(({ voice }) => voice))]
    })
  }
  labels = followTurns(samples, centers)
  const order = [...new Set(labels)]
  return labels.map((label) => order.indexOf(label))
}

const findCenters = (samples: readonly VoiceSample[]): Float32Array[] => {
  const step = Math.max(1, samples.length / MAX_COMPARED)
  const compared = Array.from(
    { length: Math.ceil(samples.length / step) },
    (_, i) => samples[Math.floor(i * step)] as VoiceSample,
  )
  const groups = Map.groupBy(
    clusterVoices(
      compared.map(({ voice }) => voice),
      SAME_PERSON,
    ).map((label, index) => ({ label, sample: compared[index] as VoiceSample })),
    ({ label }) => label,
  )
  const found = [...groups.values()].map((members) => ({
    center: meanVoice(members.map(({ sample }) => sample.voice)),
    seconds: step * members.reduce((sum, { sample }) => sum + sample.endSeconds - sample.startSeconds, 0),
  }))
  const longest = Math.max(...found.map(({ seconds }) => seconds))
  return found.filter(({ seconds }) => seconds >= Math.min(MIN_SPEAKER_SECONDS, longest)).map(({ center }) => center)
}

/** The most likely course of speakers: each sample like its speaker, and few changes (Viterbi). */
const followTurns = (samples: readonly VoiceSample[], centers: readonly Float32Array[]): number[] => {
  let scores = centers.map(() => 0)
  const cameFrom: number[][] = []
  for (const [index, { voice, startSeconds }] of samples.entries()) {
    const pause = startSeconds - (samples[index - 1]?.endSeconds ?? Number.NEGATIVE_INFINITY)
    const cost = pause >= FREE_CHANGE_SECONDS ? 0 : CHANGE_COST
    const best = scores.indexOf(Math.max(...scores))
    const from = scores.map((score, label) => ((scores[best] as number) - cost > score ? best : label))
    scores = centers.map((center, label) => {
      const origin = from[label] as number
      return (scores[origin] as number) - (origin === label ? 0 : cost) + compareVoices(voice, center)
    })
    cameFrom.push(from)
  }
  const labels: number[] = []
  let label = scores.indexOf(Math.max(...scores))
  for (let index = samples.length - 1; index >= 0; index -= 1) {
    labels[index] = label
    label = (cameFrom[index] as number[])[label] as number
  }
  return labels
}
