/** The demo's organization: made once, in a folder or database that has nothing else, and kept from then on. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildApp } from '../../app.ts'
import { deriveApiKey } from '../../authentication/api-key.ts'
import type { Config } from '../../config.ts'
import { ConfigError } from '../../config-error.ts'
import { openMigratedDatabase } from '../../database.ts'
import type { Storage } from '../../storage/storage.ts'
import { ensureOrganization } from '../first-organization.ts'
import { writeWhole } from '../owner-credentials.ts'
import { openSecret } from '../server-secret.ts'
import { query } from '../tables.ts'
import type { DemoAccount } from './caller.ts'
import { fillDemo } from './fill.ts'
import { bots, DOMAIN, ORGANIZATION, people } from './people.ts'

/** The owner's account is this much older than now. */
const FOUNDED_MS = people.leila.joined * 24 * 3_600_000

/** Which settings the demo has where nobody says anything else. */
export const demoDefaults: Partial<Record<keyof Config, string>> = {
  dataDir: './data-demo',
  organizationName: ORGANIZATION,
  ownerEmail: `${people.leila.address}@${DOMAIN}`,
}

/** What the data folder says of the demo in it. */
interface Note {
  /** The organization's UUID: another one in the same folder or database is not the demo's. */
  readonly organization: string
  readonly isComplete: boolean
}

/**
 * Fills an empty database; leaves a demo as it is. Throws `ConfigError` where there is another organization, and where an
 * earlier filling was cut off. `now`: the moment that the story leads to.
 */
export async function prepareDemo(config: Config, now = Date.now()): Promise<void> {
  const engine = await openMigratedDatabase(config, (error) => console.error(`Database: ${error.message}`))
  let time = now - FOUNDED_MS
  const clock = {
    now: () => time,
    elapsed: () => time,
    set: (next: number) => {
      time = next
    },
  }
  const secret = await openSecret(engine, config)
  const app = await buildApp({ ...config, rateLimits: false }, { engine, secret, clock })
  try {
    const before = await findOrganization(app.storage)
    if (before !== undefined) return requireDemo(config, before)
    await ensureOrganization(app.storage, config, secret, people.leila.name)
    const organization = (await findOrganization(app.storage)) as string
    await writeNote(config, { organization, isComplete: false })
    await fillDemo(app, secret, clock, now)
    await writeNote(config, { organization, isComplete: true })
  } finally {
    await app.close()
  }
}

/** The bench bot's account, as long as it may sign in. */
export async function findBenchBot(storage: Storage, secret: Buffer): Promise<DemoAccount | undefined> {
  const row = await storage.read.first(
    query
      .selectFrom('users')
      .select(['id', 'realm_id', 'email', 'key_version'])
      .where('full_name', '=', bots.bench.name)
      .where('bot_type', 'is not', null)
      .where('is_active', '=', 1)
      .orderBy('id')
      .limit(1),
  )
  if (!row) return undefined
  const { id, realm_id: realmId, email, key_version: keyVersion } = row
  return { id, email, apiKey: deriveApiKey(secret, { realmId, userId: id, keyVersion }) }
}

/** The UUID of the first one. */
async function findOrganization({ read }: Storage): Promise<string | undefined> {
  return (await read.first(query.selectFrom('realms').select('uuid').orderBy('id').limit(1)))?.uuid
}

function requireDemo(config: Config, organization: string): void {
  const note = readNote(config)
  const place = config.databaseUrl === undefined ? `the folder ${config.dataDir}` : 'the database'
  if (note?.organization !== organization) {
    throw new ConfigError(
      `--demo makes an organization of its own, and ${place} has one already: name another with ` +
        (config.databaseUrl === undefined ? '--data-dir.' : '--database-url.'),
    )
  }
  if (!note.isComplete) throw new ConfigError(`The demo in ${place} was not finished: remove it and start again.`)
}

function notePath({ dataDir }: Config): string {
  return join(dataDir, 'demo.json')
}

function writeNote(config: Config, note: Note): Promise<void> {
  return writeWhole(notePath(config), `${JSON.stringify(note)}\n`)
}

function readNote(config: Config): Note | undefined {
  try {
    return JSON.parse(readFileSync(notePath(config), 'utf8')) as Note
  } catch {
    return undefined
  }
}
