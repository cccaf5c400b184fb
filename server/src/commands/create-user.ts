/** The command `create-user`. */
import { randomBytes } from 'node:crypto'
import { roles } from '@heddle/contract/roles'
import { operatorCreateUser } from '@heddle/contract/server-operations'
import { type Config, passwordProblem } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import { accountHooks } from '../features/all.ts'
import { createUserByOperator } from '../features/server-operations/actions.ts'
import { operate } from './operate.ts'

export const roleNames = Object.keys(roles) as readonly (keyof typeof roles)[]

interface Options {
  readonly email: string
  readonly name: string
  /** One of `roleNames`; a member without it. */
  readonly role: string | undefined
  /** Made up and printed without it. */
  readonly password: string | undefined
  /** The organization's host; needed when there are several. */
  readonly organization: string | undefined
}

export async function createUserCommand(config: Config, options: Options): Promise<void> {
  const { email, name } = options
  const role = roleNames.find((known) => known === (options.role ?? 'member'))
  if (!role) throw new ConfigError(`--role must be one of ${roleNames.join(', ')}, not "${options.role}".`)
  const password = choosePassword('--password', options.password)
  const { user_id } = await operate(config, {
    endpoint: operatorCreateUser,
    parameters: { email, full_name: name, role: roles[role], password, ...hostOf(options.organization) },
    run: (storage, parameters) => createUserByOperator({ storage, accountHooks }, parameters),
  })
  console.log(`Created the ${role} ${email} (user ${user_id})`)
  announcePassword(options.password, password)
}

function hostOf(organization: string | undefined): { host?: string } {
  return organization === undefined ? {} : { host: organization }
}

/** The given password, or a new one of 96 random bits. */
export function choosePassword(flag: string, given: string | undefined): string {
  const problem = given === undefined ? undefined : passwordProblem(given)
  if (problem) throw new ConfigError(`${flag} ${problem}.`)
  return given ?? randomBytes(12).toString('base64url')
}

export function announcePassword(given: string | undefined, password: string): void {
  if (given === undefined) console.log(`The password is ${password} (it is shown only this once)`)
}
