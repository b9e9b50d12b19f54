import { text as readText } from 'node:stream/consumers'
import { makePassword } from '../accounts/passwords.ts'
import { endOtherSessions } from '../accounts/sessions.ts'
import { emailSchema, passwordSchema } from '../accounts/sign-up-rules.ts'
import { addUser, findUser, isEmailTaken, listUsers, setPassword, type User } from '../accounts/users.ts'
import { PASSWORD_LENGTH } from '../core/password-length.ts'
import type { Foundation } from '../foundation.ts'
import { takeAccount } from './account-commands.ts'
import { type Command, type Flags, textFlag, UsageError } from './command.ts'
import { table } from './print.ts'

const takeUser = async ({ database }: Foundation, flags: Flags): Promise<User> => {
  const email = textFlag(flags, 'email')
  if (email === undefined) throw new UsageError('name the user by --email')
  const user = await findUser(database, email)
  if (!user) throw new UsageError(`there is no user ${email}`)
  return user
}

/** From standard input where told so, which no list of processes shows; else a new one. */
const takePassword = async (flags: Flags): Promise<{ password: string; isMade: boolean }> => {
  if (!flags['password-stdin']) return { password: makePassword(), isMade: true }
  const password = (await readText(process.stdin)).replace(/\r?\n$/, '')
  if (!passwordSchema.safeParse(password).success) {
    throw new UsageError(`a password has ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters`)
  }
  return { password, isMade: false }
}

/** What is told of a password: only one that nobody knows yet. */
const show = (user: User, { password, isMade }: { password: string; isMade: boolean }) => ({
  value: { id: user.id, accountId: user.accountId, email: user.email, ...(isMade ? { password } : {}) },
  text: isMade ? `user ${user.email}\npassword, shown only this once: ${password}` : `user ${user.email}`,
})

/** Those who sign in to the website. */
export const userCommands: Readonly<Record<string, Command>> = {
  'user add': {
    args: '--account ID --email EMAIL [--name NAME] [--password-stdin]',
    detail: 'lets somebody sign in to the website',
    needsFoundation: true,
    run: async ({ flags, args, foundation }) => {
      const account = await takeAccount(foundation, flags, args)
      if (account.plan === 'guest') throw new UsageError('guests do not sign in; give the account another plan first')
      const email = textFlag(flags, 'email')
      if (email === undefined || !emailSchema.safeParse(email).success) {
        throw new UsageError('--email must be an e-mail address')
      }
      const given = await takePassword(flags)
      const name = textFlag(flags, 'name') ?? email.split('@')[0] ?? email
      try {
        const { password } = given
        return show(await addUser(foundation.database, { accountId: account.id, email, name, password }), given)
      } catch (error) {
        if (isEmailTaken(error)) throw new UsageError(`there is a user ${email} already`)
        throw error
      }
    },
  },
  'user password': {
    args: '--email EMAIL [--password-stdin]',
    detail: 'sets a new password and ends all sessions',
    needsFoundation: true,
    run: async ({ flags, foundation }) => {
      const user = await takeUser(foundation, flags)
      const given = await takePassword(flags)
      await setPassword(foundation.database, user.id, given.password)
      return show(user, given)
    },
  },
  'user list': {
    args: '',
    detail: 'those who can sign in',
    needsFoundation: true,
    run: async ({ foundation: { database } }) => {
      const users = await listUsers(database)
      return { value: users, text: table(users) }
    },
  },
  'session end': {
    args: '--email EMAIL',
    detail: 'ends all sessions of a user',
    needsFoundation: true,
    run: async ({ flags, foundation }) => {
      const user = await takeUser(foundation, flags)
      const ended = await endOtherSessions(foundation.database, user.id, null)
      return { value: { email: user.email, ended }, text: `ended ${ended} sessions` }
    },
  },
}
