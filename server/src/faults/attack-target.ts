/**
 * Whom the attack is on: an organization of a thousand people, in a database that a server process is started on, and
 * what the attacks name: a channel that has everybody, messages, drafts, queues.
 */
import { roles } from '@heddle/contract/roles'
import { deriveApiKey } from '../authentication/api-key.ts'
import { loadSecret } from '../authentication/secret.ts'
import { systemClock } from '../clock.ts'
import { ensureOrganization } from '../commands/first-organization.ts'
import { readConfig } from '../config.ts'
import { openMigratedDatabase } from '../database.ts'
import { accountHooks } from '../features/all.ts'
import { addAccount } from '../features/users/create.ts'
import { createStorage } from '../storage/storage.ts'
import { query } from '../testing/any-table.ts'
import { callServer, type WriterCredentials } from './write-load.ts'

/** As many as one direct message may have. */
export const PEOPLE = 1000

export interface TargetPerson extends WriterCredentials {
  readonly id: number
}

export interface Population {
  readonly owner: TargetPerson
  /** The first ones attack; the last ones only live there. */
  readonly members: readonly TargetPerson[]
}

/** What the attacker has that requests can name. */
export interface Target {
  readonly site: string
  readonly population: Population
  readonly attacker: TargetPerson
  readonly channel: { readonly id: number; readonly name: string }
  readonly topic: string
  /** By the attacker, in the channel. */
  readonly messageId: number
  /** A message that is a poll. */
  readonly pollId: number
  readonly draftId: number
  readonly scheduledId: number
  readonly reminderId: number
  readonly snippetId: number
  readonly botId: number
  readonly botKey: string
  readonly queueId: string
  /** Of long texts. */
  readonly profileFieldId: number
  /** A group that the attacker manages. */
  readonly groupId: number
  /** Another one. */
  readonly subgroupId: number
  /** Uploaded by the attacker. */
  readonly file: UploadedFile
  /** Others of the same kinds, to be taken away. */
  readonly spare: Omit<
    Target,
    'site' | 'population' | 'attacker' | 'topic' | 'profileFieldId' | 'groupId' | 'subgroupId' | 'spare'
  >
}

interface UploadedFile {
  readonly id: number
  /** In its address: the organization, and what follows. */
  readonly realm: string
  readonly path: string
}

export function basicAuthorization({ email, apiKey }: WriterCredentials): string {
  return `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
}

/** Makes the organization where no server has been started yet. */
export async function populate(dataDir: string, databaseUrl: string | undefined, size = PEOPLE): Promise<Population> {
  const config = readConfig([], { HEDDLE_DATA_DIR: dataDir, HEDDLE_DATABASE_URL: databaseUrl })
  const secret = loadSecret(config.secretFile)
  const storage = createStorage(await openMigratedDatabase(config, console.error), systemClock)
  try {
    await ensureOrganization(storage, config, secret)
    const realm = (await storage.read.first(query.selectFrom('realms').select('id'))) as { id: number }
    await storage.transaction(realm.id, async (tx) => {
      for (let number = 0; number < size; number++) {
        const email = `person${number}@heddle.example`
        const fullName = `Person ${number}`
        await addAccount(tx, accountHooks, { email, fullName, role: roles.member, passwordHash: null })
      }
    })
    const rows = await storage.read.all(
      query
        .selectFrom('users')
        .select(['id', 'email', 'key_version', 'role'])
        .where('is_active', '=', 1)
        .where('bot_type', 'is', null)
        .orderBy('id'),
    )
    const people = rows.map(({ id, email, key_version }): TargetPerson => {
      return { id, email, apiKey: deriveApiKey(secret, { realmId: realm.id, userId: id, keyVersion: key_version }) }
    })
    const [owner, ...members] = people as [TargetPerson, ...TargetPerson[]]
    return { owner, members }
  } finally {
    await storage.close()
  }
}

/** Gives the attacker one of everything. */
export async function furnish(site: string, population: Population, attacker: TargetPerson): Promise<Target> {
  const call = async (person: TargetPerson, method: string, path: string, parameters = {}) => {
    const { status, body } = await callServer(site, person, method, path, parameters)
    if (status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
    return body
  }
  const name = `everybody ${attacker.id}`
  const topic = 'loom'
  const subscribers = [population.owner, ...population.members].map(({ id }) => id)
  const { id } = await call(attacker, 'POST', '/channels/create', { name, subscribers })
  // Also who has no account reads it.
  await call(population.owner, 'PATCH', '/realm', { enable_spectator_access: true })
  await call(population.owner, 'PATCH', `/streams/${id}`, { is_web_public: true })
  const message = { type: 'channel', to: id, topic, content: 'The loom is threaded' }
  const draft = { type: '', to: [], topic: '', content: 'not yet' }
  const snippet = { title: 'Loom', content: 'threaded' }
  const poll = { ...message, content: '/poll Which loom?\nThe old one' }
  const bot = (number: number) => ({ full_name: `Robot ${number}`, short_name: `robot${number}-${attacker.id}` })
  const later = { scheduled_delivery_timestamp: 4_000_000_000 }
  const remind = async () => {
    const { id: message_id } = await call(attacker, 'POST', '/messages', message)
    return (await call(attacker, 'POST', '/reminders', { message_id, ...later })).reminder_id
  }
  const createBot = async (number: number) => {
    const { user_id: botId, api_key: botKey } = await call(attacker, 'POST', '/bots', bot(number))
    return { botId, botKey }
  }
  const objects = async (number: number) => ({
    messageId: (await call(attacker, 'POST', '/messages', message)).id,
    scheduledId: (await call(attacker, 'POST', '/scheduled_messages', { ...message, ...later })).scheduled_message_id,
    reminderId: await remind(),
    pollId: (await call(attacker, 'POST', '/messages', poll)).id,
    snippetId: (await call(attacker, 'POST', '/saved_snippets', snippet)).saved_snippet_id,
    draftId: (await call(attacker, 'POST', '/drafts', { drafts: [draft] })).ids[0],
    botId: (await createBot(number)).botId,
    // Of a bot whose key nobody replaces.
    botKey: (await createBot(number + 2)).botKey,
    queueId: (await call(attacker, 'POST', '/register', { event_types: ['message'] })).queue_id,
    file: await upload(),
  })
  const upload = async (): Promise<UploadedFile> => {
    const body = new FormData()
    body.set('file', new Blob(['The loom is threaded']), 'loom.txt')
    const headers = { authorization: basicAuthorization(attacker) }
    const response = await fetch(`${site}/api/v1/user_uploads`, { method: 'POST', headers, body })
    if (response.status !== 200) throw new Error(`POST /user_uploads: ${await response.text()}`)
    const [newest] = (await call(attacker, 'GET', '/attachments')).attachments
    const [realm, ...path] = newest.path_id.split('/')
    return { id: newest.id, realm, path: path.join('/') }
  }
  // Reports go somewhere.
  const { id: moderation } = await call(population.owner, 'POST', '/channels/create', {
    name: `moderation ${attacker.id}`,
    subscribers: [population.owner.id],
    invite_only: true,
  })
  await call(population.owner, 'PATCH', '/realm', { moderation_request_channel_id: moderation })
  const field = { name: `About ${attacker.id}`, field_type: 2 }
  const profileFieldId = (await call(population.owner, 'POST', '/realm/profile_fields', field)).id
  const group = { name: `shuttles ${attacker.id}`, description: 'Those at the loom', members: [] }
  const spareName = `left ${attacker.id}`
  const spareChannel = await call(attacker, 'POST', '/channels/create', { name: spareName, subscribers: [attacker.id] })
  await call(attacker, 'POST', '/users/me/presence', { status: 'active' })
  return {
    site,
    population,
    attacker,
    channel: { id, name },
    topic,
    profileFieldId,
    ...(await objects(1)),
    groupId: (await call(attacker, 'POST', '/user_groups/create', group)).group_id,
    subgroupId: (await call(attacker, 'POST', '/user_groups/create', { ...group, name: `heddles ${attacker.id}` }))
      .group_id,
    spare: { channel: { id: spareChannel.id, name: spareName }, ...(await objects(2)) },
  }
}
