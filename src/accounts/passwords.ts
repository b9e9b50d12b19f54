import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** Argon2id with the least cost that OWASP advises: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Of a password that nobody knows: where there is no user, as much time goes by as where there is one. */
const NOBODYS_HASH = '$argon2id$v=19$m=19456,t=2,p=1$rN40QHoIGhCfQllFeBZp+g$+nvF99idz5ManKeNmt0YTcpp/JooJGiMt2lRcY9On58'

/** Hashing runs on the threads that also read and write files; most of them must stay free. */
const MAX_AT_ONCE = 2
const waiting: (() => void)[] = []
let running = 0

const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (running < MAX_AT_ONCE) running++
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await work()
  } finally {
    // The place is handed on, not given up, so that nobody slips in between.
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/** The same letters may be typed as different code points; the hash knows one spelling of them. */
const spell = (password: string): string => password.normalize('NFKC')

/** The hash of a password, with a salt and its costs in it. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(spell(password), COST))

/** Whether the password is the one of the hash; without a hash it takes as long, and is false. */
export const checkPassword = async (passwordHash: string | null, password: string): Promise<boolean> => {
  const isRight = await inTurn(() => verify(passwordHash ?? NOBODYS_HASH, spell(password)))
  return isRight && passwordHash !== null
}

/** A password for somebody who was given none. */
export const makePassword = (): string => randomBytes(15).toString('base64url')
