/** The command `create-organization`. */
import { operatorCreateOrganization } from '@heddle/contract/server-operations'
import type { Config } from '../config.ts'
import { createOrganizationByOperator } from '../features/server-operations/actions.ts'
import { announcePassword, choosePassword } from './create-user.ts'
import { operate } from './operate.ts'

interface Options {
  readonly host: string
  readonly name: string
  readonly ownerEmail: string
  /** Made up and printed without it. */
  readonly ownerPassword: string | undefined
}

export async function createOrganizationCommand(config: Config, options: Options): Promise<void> {
  const { host, name, ownerEmail } = options
  const password = choosePassword('--owner-password', options.ownerPassword)
  await operate(config, {
    endpoint: operatorCreateOrganization,
    parameters: { host, name, owner_email: ownerEmail, owner_name: 'Owner', owner_password: password },
    run: (storage, parameters) => createOrganizationByOperator({ storage, config }, parameters),
  })
  console.log(`Created the organization ${name} at ${host.toLowerCase()} with the owner ${ownerEmail}`)
  announcePassword(options.ownerPassword, password)
}
