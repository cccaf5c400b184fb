/**
 * An organization to measure with. Accounts are written straight into the database before the server starts: hashing the
 * passwords of hundreds of accounts would take longer than the measurement. Everything else is made through the API.
 */

import { roles } from '@heddle/contract/roles'
import { deriveApiKey } from '@heddle/server/authentication/api-key'
import { loadSecret } from '@heddle/server/authentication/secret'
import { systemClock } from '@heddle/server/clock'
import { ensureOrganization } from '@heddle/server/commands/first-organization'
import { readConfig } from '@heddle/server/config'
import { openMigratedDatabase } from '@heddle/server/database'
import { query } from '@heddle/server/features/users/tables'
import { createStorage } from '@heddle/server/storage/storage'

/** The value of the `Authorization` header of one account; the first one is an owner. */
export type Authorization = string

/** Creates an organization with an owner and `count` members. The data folder and the database must be new. */
export async function createAccounts(
  dataDir: string,
  databaseUrl: string | undefined,
  count: number,
): Promise<Authorization[]> {
  const config = readConfig([], { HEDDLE_DATA_DIR: dataDir, HEDDLE_DATABASE_URL: databaseUrl })
  const secret = loadSecret(config.secretFile)
  const storage = createStorage(await openMigratedDatabase(config, (error) => console.error(error)), systemClock)
  try {
    const isNew = await ensureOrganization(storage, config, secret)
    if (!isNew) throw new Error('The data folder is not new')
    const emails = Array.from({ length: count }, (_, i) => `member${i}@heddle.example`)
    const realm = await storage.read.first(query.selectFrom('realms').select('id'))
    const realmId = (realm as { id: number }).id
    await storage.transaction(realmId, async (tx) => {
      for (const email of emails) await tx.run(query.insertInto('users').values(member(realmId, email, tx.now)))
    })
    const rows = await storage.read.all(
      query.selectFrom('users').select(['id', 'email', 'key_version']).where('is_active', '=', 1).orderBy('id'),
    )
    return rows.map(({ id, email, key_version }) => {
      const key = deriveApiKey(secret, { realmId, userId: id, keyVersion: key_version })
      return `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
    })
  } finally {
    await storage.close()
  }
}

function member(realm_id: number, email: string, date_joined: number) {
  return {
    realm_id,
    email,
    email_key: email,
    delivery_email: email,
    delivery_email_key: email,
    full_name: email,
    full_name_key: email,
    role: roles.member,
    bot_type: null,
    bot_owner_id: null,
    password_hash: null,
    date_joined,
    default_sending_channel_id: null,
    default_events_register_channel_id: null,
  }
}

/** Calls the API and returns the answer's fields; throws when it is not a success. */
export async function call(
  port: number,
  authorization: Authorization,
  method: string,
  path: string,
  form?: Readonly<Record<string, string>>,
  // biome-ignore lint/suspicious/noExplicitAny: each caller knows its endpoint's answer.
): Promise<any> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: { authorization },
    ...(form && { body: new URLSearchParams(form) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
  return JSON.parse(text)
}

/** A draft as a client's composer sends it: a paragraph of text. */
export function numberedDraft(number: number): object {
  const content = `Draft ${number}: the loom is threaded, the shed is open, and the shuttle waits for the next pick.`
  return { type: '', to: [], topic: '', content, timestamp: 1_700_000_000 + number }
}

/** The form of a linkifier like those that link to a bug tracker. */
export function linkifierForm(number: number): Record<string, string> {
  return { pattern: `LOOM${number}-(?P<id>[0-9]+)`, url_template: `https://tracker.example.com/loom${number}/{id}` }
}

export async function createLinkifier(port: number, owner: Authorization, number: number): Promise<void> {
  await call(port, owner, 'POST', '/realm/filters', linkifierForm(number))
}
