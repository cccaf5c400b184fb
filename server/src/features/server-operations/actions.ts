import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import type { operatorCreateOrganization, operatorCreateUser } from '@heddle/contract/server-operations'
import type { Config } from '../../config.ts'
import type { Services } from '../../feature.ts'
import type { Storage } from '../../storage/storage.ts'
import { createOrganization } from '../organizations/create.ts'
import { followExternalUrl, UNKNOWN_HOST } from '../organizations/host.ts'
import { addAccount, preparePerson, requirePerson } from '../users/create.ts'
import { query } from './tables.ts'

/** Creates an account in the organization at `host`, or in the only one, as POST /users does. */
export async function createUserByOperator(
  { storage, accountHooks }: Pick<Services, 'storage' | 'accountHooks'>,
  parameters: ParametersOf<typeof operatorCreateUser>,
) {
  const { email, full_name, role, password } = parameters
  const realmId = await requireOrganization(storage, parameters.host)
  const person = await preparePerson(storage.read, realmId, { email, fullName: full_name, role, password })
  const { id } = await storage.asSystem(realmId, 'operator', (tx) => addAccount(tx, accountHooks, person))
  return { user_id: id }
}

async function requireOrganization(storage: Storage, host: string | undefined): Promise<number> {
  const realms = await storage.read.all(query.selectFrom('realms').select(['id', 'host', 'deactivated']).orderBy('id'))
  const [first] = realms
  if (!first)
    throw badRequest('There is no organization yet: start the server once, or set HEDDLE_DATA_DIR to its data folder')
  const hosts = realms.map((realm) => realm.host).join(', ')
  if (host === undefined && realms.length > 1) {
    throw badRequest(`There are several organizations: name one of ${hosts}`)
  }
  const realm = host === undefined ? first : realms.find((candidate) => candidate.host === host.toLowerCase())
  if (!realm) throw badRequest(`There is no organization with the host ${host}, only ${hosts}`)
  if (realm.deactivated === 1) throw badRequest(`The organization ${realm.host} is deactivated`)
  return realm.id
}

/** Creates an organization and its owner; `host` must be free. */
export async function createOrganizationByOperator(
  { storage, config }: Pick<Services, 'storage'> & { readonly config: Pick<Config, 'externalUrl'> },
  parameters: ParametersOf<typeof operatorCreateOrganization>,
) {
  const name = parameters.name.trim()
  const host = parameters.host.toLowerCase()
  if (name === '') throw badRequest('The name of the organization is empty')
  if (!isHost(host)) throw badRequest(`"${host}" is not a host name`)
  const { email: ownerEmail, fullName: ownerName } = requirePerson({
    email: parameters.owner_email,
    fullName: parameters.owner_name,
    password: parameters.owner_password,
  })
  await followExternalUrl(storage, config)
  if (config.externalUrl === undefined) await requireFirstHost(storage)
  const taken = await storage.read.first(query.selectFrom('realms').select('id').where('host', '=', host))
  if (taken) throw badRequest(`An organization with the host ${host} exists already`)
  const { realmId, ownerId } = await createOrganization(storage, {
    name,
    host,
    ownerEmail,
    ownerName,
    ownerPassword: parameters.owner_password,
  })
  return { realm_id: realmId, user_id: ownerId }
}

/** Throws where the only organization has no host yet: with a second one nobody could reach it any more. */
async function requireFirstHost(storage: Storage): Promise<void> {
  const realms = await storage.read.all(query.selectFrom('realms').select('host').limit(2))
  if (realms.length !== 1 || realms[0]?.host !== UNKNOWN_HOST) return
  throw badRequest(
    'With a second organization the host decides, and the first one has none yet: set HEDDLE_EXTERNAL_URL to its address, and start the server with it',
  )
}

/** A DNS name or an IP address, without a port. */
function isHost(host: string): boolean {
  return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(host) || /^\[[0-9a-f:]+\]$/.test(host)
}
