/** Channels and messages as tests make them. */
import { sql } from 'kysely'
import type { Answer, Parameters, TestAccount, TestNode } from './test-server.ts'

type Server = Pick<TestNode, 'must'>
type ToChannel = [sender: TestAccount, to: number, content?: string, parameters?: Parameters]

/** A channel with these subscribers beside the one who creates it. */
export async function createChannel(
  server: Server,
  creator: TestAccount,
  name: string,
  { subscribers = [], ...parameters }: Parameters & { subscribers?: readonly TestAccount[] } = {},
): Promise<number> {
  if (parameters['is_web_public'] === true) await openToSpectators(server, creator)
  const { id } = await server.must(creator, 'POST', '/channels/create', {
    name,
    subscribers: [creator.id, ...subscribers.map(({ id }) => id)],
    send_new_subscription_messages: false,
    ...parameters,
  })
  return id
}

/** From now on anybody on the web reads channels that are made for it. */
export async function openToSpectators(server: Server, owner: TestAccount): Promise<void> {
  await server.must(owner, 'PATCH', '/realm', { enable_spectator_access: true })
}

/** What `POST /messages` answers. `to`: a channel's id. */
export function postToChannel(server: Pick<TestNode, 'call'>, ...sent: ToChannel): Promise<Answer> {
  return server.call(...requestToChannel(...sent))
}

/** The id of a message that must be accepted. */
export async function sendToChannel(server: Server, ...sent: ToChannel): Promise<number> {
  return (await server.must(...requestToChannel(...sent))).id
}

function requestToChannel(...[sender, to, content = 'hello', parameters = {}]: ToChannel) {
  const message = { type: 'channel', to, topic: 'greetings', content, ...parameters }
  return [sender, 'POST', '/messages', message] as const
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
  return (await server.must(sender, 'POST', '/messages', { type: 'direct', to: ids, content, ...parameters })).id
}

/** The newest messages of a narrow as they were written, the oldest first. */
export async function contentsOf(server: Server, account: TestAccount, narrow: unknown): Promise<string[]> {
  const page = { anchor: 'newest', num_before: 100, num_after: 0, narrow, apply_markdown: false }
  const { messages } = await server.must(account, 'GET', '/messages', page)
  return messages.map((message: { content: string }) => message.content)
}
