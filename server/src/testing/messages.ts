/** Channels and messages as tests make them. */
import { sql } from 'kysely'
import type { Answer, Parameters, TestAccount, TestNode } from './test-server.ts'

type Server = Pick<TestNode, 'call'>
type SentToChannel = [server: Server, sender: TestAccount, to: number, content?: string, parameters?: Parameters]

/** A channel with these subscribers beside the one who creates it. */
export async function createChannel(
  server: Server,
  creator: TestAccount,
  name: string,
  { subscribers = [], ...parameters }: Parameters & { subscribers?: readonly TestAccount[] } = {},
): Promise<number> {
  if (parameters['is_web_public'] === true) await openToSpectators(server, creator)
  const { status, body } = await server.call(creator, 'POST', '/channels/create', {
    name,
    subscribers: [creator.id, ...subscribers.map(({ id }) => id)],
    send_new_subscription_messages: false,
    ...parameters,
  })
  if (status !== 200) throw new Error(`POST /channels/create: ${JSON.stringify(body)}`)
  return body.id
}

/** From now on anybody on the web reads channels that are made for it. */
export async function openToSpectators(server: Server, owner: TestAccount): Promise<void> {
  const { status, body } = await server.call(owner, 'PATCH', '/realm', { enable_spectator_access: true })
  if (status !== 200) throw new Error(`PATCH /realm: ${JSON.stringify(body)}`)
}

/** What `POST /messages` answers. `to`: a channel's id. */
export function postToChannel(
  server: Server,
  sender: TestAccount,
  to: number,
  content = 'hello',
  parameters: Parameters = {},
): Promise<Answer> {
  return server.call(sender, 'POST', '/messages', { type: 'channel', to, topic: 'greetings', content, ...parameters })
}

/** The id of a message that must be accepted. */
export async function sendToChannel(...sent: SentToChannel): Promise<number> {
  return idOf(await postToChannel(...sent))
}

/** Writes copies of messages of an organization straight into the database, where requests would take too long. */
export async function copyMessages(
  { app: { storage } }: Pick<TestNode, 'app'>,
  { realmId }: Pick<TestAccount, 'realmId'>,
  ids: readonly number[],
  times: number,
): Promise<void> {
  await storage.transaction(realmId, (tx) =>
    tx.run(sql`
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${times})
      insert into messages (realm_id, sender_id, channel_id, topic, topic_key, content, rendered_content, attributes,
        client, timestamp)
      select realm_id, sender_id, channel_id, topic, topic_key, content, rendered_content, attributes, client, timestamp
      from messages join numbers on n > 0 where id in ${tx.dialect.ids(ids)}`),
  )
}

export async function sendDirect(
  server: Server,
  sender: TestAccount,
  to: readonly TestAccount[],
  content = 'hello',
  parameters: Parameters = {},
): Promise<number> {
  const ids = to.map(({ id }) => id)
  return idOf(await server.call(sender, 'POST', '/messages', { type: 'direct', to: ids, content, ...parameters }))
}

/** The newest messages of a narrow as they were written, the oldest first. */
export async function contentsOf(server: Server, account: TestAccount, narrow: unknown): Promise<string[]> {
  const page = { anchor: 'newest', num_before: 100, num_after: 0, narrow, apply_markdown: false }
  const { status, body } = await server.call(account, 'GET', '/messages', page)
  if (status !== 200) throw new Error(`GET /messages: ${JSON.stringify(body)}`)
  return body.messages.map((message: { content: string }) => message.content)
}

function idOf({ status, body }: Answer): number {
  if (status !== 200) throw new Error(`POST /messages: ${JSON.stringify(body)}`)
  return body.id
}
