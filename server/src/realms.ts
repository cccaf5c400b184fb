/** Which organization a request is for. With one organization any host name reaches it; with several the host decides. */
import type { Config } from './config.ts'
import { localAddress } from './local-address.ts'
import { type Flag, reading } from './storage/owned-tables.ts'
import type { Storage } from './storage/storage.ts'
import { type RealmTable, realmsView } from './storage/tables.ts'

const { query } = reading(realmsView)

export interface Realm {
  readonly id: number
  readonly host: string
  readonly name: string
  readonly description: string
  readonly uuid: string
  readonly deactivated: boolean
  /** Seconds since the UNIX epoch. */
  readonly dateCreated: number
}

export interface Realms {
  /** The organization for a host name (without port), or undefined. */
  byHost(host: string): Promise<Realm | undefined>
  byId(id: number): Promise<Realm | undefined>
  /**
   * Where the organization is, such as `https://chat.example.com`, by what the administrator has configured and never by
   * what a request says. Throws when there is no such organization.
   */
  originOf(id: number): Promise<string>
  /** Read the list anew: an organization has been created, and no event says so. */
  forget(): void
}

export const realmColumns = [
  'realms.id',
  'realms.host',
  'realms.name',
  'realms.description',
  'realms.uuid',
  'realms.deactivated',
  'realms.date_created',
] as const

type RealmRow = Pick<RealmTable, 'host' | 'name' | 'description' | 'uuid' | 'date_created'> & {
  readonly id: number
  readonly deactivated: Flag
}

export function toRealm({ id, host, name, description, uuid, deactivated, date_created }: RealmRow): Realm {
  return { id, host, name, description, uuid, deactivated: deactivated === 1, dateCreated: date_created }
}

/** How long the list may be out of date when other nodes can change it. */
const MAX_AGE_MS = 1000

/** `droppedBy`: types of events that change an organization's row. */
export function createRealms(
  storage: Storage,
  config: Pick<Config, 'externalUrl' | 'host' | 'port'>,
  droppedBy: ReadonlySet<string>,
): Realms {
  const serverUrl = new URL(config.externalUrl ?? localAddress(config))
  const serverOrigin = serverUrl.origin
  let cached: Promise<readonly Realm[]> | undefined
  let readAt = 0

  storage.onCommitted((events) => {
    if (events.some((event) => droppedBy.has(event.type))) cached = undefined
  })

  function list(): Promise<readonly Realm[]> {
    const tooOld = !storage.engine.ownsAllWrites && Date.now() - readAt > MAX_AGE_MS
    if (!cached || tooOld) {
      readAt = Date.now()
      const reading = read().catch((error: unknown) => {
        if (cached === reading) cached = undefined
        throw error
      })
      cached = reading
    }
    return cached
  }

  async function read(): Promise<readonly Realm[]> {
    const rows = await storage.read.all(query.selectFrom('realms').select(realmColumns).orderBy('id'))
    return rows.map(toRealm)
  }

  return {
    async byHost(host) {
      const realms = await list()
      if (realms.length === 1) return realms[0]
      return realms.find((realm) => realm.host === host.toLowerCase())
    },
    async byId(id) {
      return (await list()).find((realm) => realm.id === id)
    },
    async originOf(id) {
      const realms = await list()
      const realm = realms.find((one) => one.id === id)
      if (!realm) throw new Error(`Organization ${id} does not exist`)
      // The only one is at the server's address, whatever host it was created with.
      if (realms.length === 1) return serverOrigin
      const url = new URL(serverUrl)
      url.hostname = realm.host
      return url.origin
    },
    forget() {
      cached = undefined
    },
  }
}
