import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The system user that PostgreSQL runs as, and the command that goes in front of its programs to become that user. */
export type PostgresAccount = { uid: number; gid: number; prefix: readonly string[] }

/**
 * Chooses who runs PostgreSQL, which refuses to run as root: ourselves, or when we are root the owner of the data
 * that is there, else `postgres`, else `nobody`.
 */
export const chooseAccount = async (owner: { uid: number; gid: number } | undefined): Promise<PostgresAccount> => {
  const uid = process.getuid?.() ?? 0
  const gid = process.getgid?.() ?? 0
  if (uid !== 0) return { uid, gid, prefix: [] }
  const user = owner && owner.uid !== 0 ? owner : await findUser(['postgres', 'nobody'])
  return { ...user, prefix: becomeUser(user) }
}

/**
 * Adds what the account lacks to reach the programs and the data. A clone in root's home, which nobody else may
 * enter, needs one capability more; the stronger one is tried where containers withhold the weaker.
 */
export const grantReach = async (
  account: PostgresAccount,
  postgres: string,
  data: string,
): Promise<PostgresAccount> => {
  if (account.prefix.length === 0) return account
  const prefixes = [account.prefix, ...['dac_read_search', 'dac_override'].map((name) => becomeUser(account, name))]
  let failure: unknown
  for (const prefix of prefixes) {
    try {
      const [command = '', ...args] = [
        ...prefix,
        'sh',
        '-c',
        'test -x "$1" && test -x "$2" && exec "$2" --version',
        'sh',
        data,
        postgres,
      ]
      await run(command, args, { cwd: '/' })
      return { ...account, prefix }
    } catch (error) {
      failure = error
    }
  }
  throw new Error(`The system user ${account.uid} cannot reach both ${postgres} and ${data}.`, { cause: failure })
}

const becomeUser = (user: { uid: number; gid: number }, capability?: string): string[] => [
  'setpriv',
  `--reuid=${user.uid}`,
  `--regid=${user.gid}`,
  '--clear-groups',
  ...(capability ? [`--inh-caps=+${capability}`, `--ambient-caps=+${capability}`, ...HONOR_IN_ACCESS] : []),
]

/** Without this bit access(2), by which PostgreSQL looks for its own programs, leaves capabilities out of account. */
const HONOR_IN_ACCESS = ['--securebits=+no_setuid_fixup']

const findUser = async (names: readonly string[]): Promise<{ uid: number; gid: number }> => {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const name of names) {
    const found = lines.find(([candidate]) => candidate === name)
    if (found) return { uid: Number(found[2]), gid: Number(found[3]) }
  }
  throw new Error(`PostgreSQL does not run as root, and there is no system user ${names.join(' or ')} to run it.`)
}
