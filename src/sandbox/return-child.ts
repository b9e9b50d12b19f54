import { readdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Crew, CrewMember } from './crew.ts'
import { RESIDENTS_FOLDER } from './launch.ts'

const CLEAN_MS = 5_000
const UNLINKS_AT_ONCE = 64

/**
 * Wipes what a job left and gives the child back. The child empties its own folder: we must not walk a folder as root
 * while a process that may be hostile can swap what is in it. Any doubt about the outcome ends the child.
 */
export const returnChild = async (crew: Crew, member: CrewMember): Promise<void> => {
  const { handle, berth, resultFolder } = member
  try {
    const list = (folder = '') => readdirSync(join(berth.outFolder, folder)).toSorted().join()
    // What it keeps running has its files in a place that stays with it.
    const isEmpty = () =>
      list() === `${RESIDENTS_FOLDER},scratch` &&
      list('scratch') === '' &&
      (handle.hasResidents() || list(RESIDENTS_FOLDER) === '')
    for (const folder of [berth.inFolder, resultFolder]) {
      for (const [i, name] of readdirSync(folder).entries()) {
        unlinkSync(join(folder, name))
        // A job may leave thousands; the server has others to serve.
        if (i % UNLINKS_AT_ONCE === UNLINKS_AT_ONCE - 1) await setImmediate()
      }
    }
    if (!isEmpty()) await askToClean(member)
    const { cpuSeconds, hasStrays } = handle.survey()
    if (!isEmpty() || hasStrays) return await crew.retire(member, true)
    member.cpuSeconds = cpuSeconds
    await crew.giveBack(member)
  } catch {
    await crew.retire(member, true)
  }
}

const askToClean = ({ handle }: CrewMember): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('a child does not clean up')), CLEAN_MS)
    const end = (settle: () => void) => {
      clearTimeout(timer)
      handle.listen(undefined)
      settle()
    }
    handle.listen({
      maxMessages: 1,
      onMessage: ({ type }) => end(type === 'clean' ? resolve : () => reject(new Error(`${type} while cleaning`))),
      onBroken: (error) => end(() => reject(error)),
    })
    void handle.death.then(() => end(() => reject(new Error('a child died while cleaning'))))
    handle.send({ type: 'clean' })
  })
