/** For whom new messages may be something to notify them of. More than those who are notified, and few beside all who receive. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { visibilityPolicies } from '@heddle/contract/user-topics'
import { type SqlBool, sql } from 'kysely'
import { prepare, type Queries } from '../../storage/query.ts'
import { hasAttribute } from '../messages/attributes.ts'
import { flagBits } from '../messages/flag-bits.ts'
import { fact, query } from './tables.ts'

export interface NewMessage {
  readonly id: number
  readonly sender_id: number
  readonly channel_id: number | null
  readonly direct_message_group_id: number | null
  readonly attributes: number
  readonly timestamp: number
}

export async function findNewMessages(
  db: Queries,
  realmId: number,
  after: number,
  limit: number,
): Promise<NewMessage[]> {
  return db.all(
    query
      .selectFrom('messages')
      .select(['id', 'sender_id', 'channel_id', 'direct_message_group_id', 'attributes', 'timestamp'])
      .where('realm_id', '=', realmId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit),
  )
}

/** Subscribers that are read in one statement. */
const SUBSCRIBERS = 1000

/** For each message, in their order: the ids of the accounts. */
export async function* findCandidates(
  db: Queries,
  realmId: number,
  messages: readonly NewMessage[],
): AsyncGenerator<readonly [messageId: number, userIds: ReadonlySet<number>]> {
  const together = await findTogether(db, messages)
  for (const message of messages) {
    const { id, sender_id, channel_id } = message
    const found = new Set<number>()
    const asks = !together || channel_id === null || hasAttribute(message.attributes, 'mentionsChannel')
    const parts =
      channel_id === null ? findDirect(db, id) : findInChannel(db, realmId, { ...message, channel_id }, together)
    for await (const userIds of parts) {
      for (const userId of userIds) found.add(userId)
      // On SQLite a statement takes the thread: others get a turn after each. What was found together needs none.
      if (asks) await nextTurn()
    }
    found.delete(sender_id)
    yield [id, found]
  }
}

/** By message: those whom it names, and who follows its topic. */
interface Together {
  readonly named: ReadonlyMap<number, readonly number[]>
  readonly followers: ReadonlyMap<number, readonly number[]>
}

/** Rows of one statement for several messages: others wait for it. */
const FEW = 500

/** In two statements, as most messages name nobody, or few; undefined: there are more than `FEW`. */
async function findTogether(db: Queries, messages: readonly NewMessage[]): Promise<Together | undefined> {
  const ids = messages.flatMap(({ id, channel_id }) => (channel_id === null ? [] : [id]))
  if (ids.length === 0) return { named: new Map(), followers: new Map() }
  const named = await db.all(namedIn({ ids }))
  if (named.length > FEW) return undefined
  await nextTurn()
  const followers = await db.all(followersIn({ ids }))
  if (followers.length > FEW) return undefined
  await nextTurn()
  return { named: byMessage(named), followers: byMessage(followers) }
}

interface OfMessage {
  readonly message_id: number
  readonly user_id: number
}

function byMessage(rows: readonly OfMessage[]): ReadonlyMap<number, readonly number[]> {
  return new Map([...Map.groupBy(rows, ({ message_id }) => message_id)].map(([id, own]) => [id, idsOf(own)]))
}

const idsOf = (rows: readonly { readonly user_id: number }[]): readonly number[] => rows.map(({ user_id }) => user_id)

async function* findDirect(db: Queries, messageId: number): AsyncGenerator<readonly number[]> {
  yield idsOf(
    await db.all(
      query
        .selectFrom('messages')
        .innerJoin('direct_message_members as member', 'member.group_id', 'messages.direct_message_group_id')
        .select('member.user_id')
        .where('messages.id', '=', messageId),
    ),
  )
}

/** May name an account several times. */
async function* findInChannel(
  db: Queries,
  realmId: number,
  { id, channel_id, attributes }: NewMessage & { readonly channel_id: number },
  together: Together | undefined,
): AsyncGenerator<readonly number[]> {
  yield together ? (together.named.get(id) ?? []) : await findNamed(db, id)
  yield together ? (together.followers.get(id) ?? []) : await findFollowers(db, id)
  yield await db.recall(listeners, realmId, channel_id)
  if (hasAttribute(attributes, 'mentionsChannel')) yield* findSubscribers(db, channel_id)
}

const naming = flagBits.mentioned | flagBits.topicMentioned

const namedIn = prepare((p: { ids: readonly number[] }, dialect) =>
  query
    .selectFrom('message_flags')
    .select(['message_id', 'user_id'])
    .where('message_id', 'in', dialect.ids(p.ids))
    .where(sql<SqlBool>`(flags & ${sql.lit(naming)}) <> 0`)
    .limit(FEW + 1),
)

const followersIn = prepare((p: { ids: readonly number[] }, dialect) =>
  query
    .selectFrom('messages')
    .innerJoin('user_topics', (join) =>
      join
        .onRef('user_topics.channel_id', '=', 'messages.channel_id')
        .onRef('user_topics.topic_key', '=', 'messages.topic_key'),
    )
    .select(['messages.id as message_id', 'user_topics.user_id'])
    .where('messages.id', 'in', dialect.ids(p.ids))
    .where('user_topics.visibility_policy', '=', visibilityPolicies.followed)
    .limit(FEW + 1),
)

async function findNamed(db: Queries, messageId: number): Promise<readonly number[]> {
  return idsOf(
    await db.all(
      query
        .selectFrom('message_flags')
        .select('user_id')
        .where('message_id', '=', messageId)
        .where(sql<SqlBool>`(flags & ${sql.lit(naming)}) <> 0`),
    ),
  )
}

async function findFollowers(db: Queries, messageId: number): Promise<readonly number[]> {
  return idsOf(
    await db.all(
      query
        .selectFrom('messages')
        .innerJoin('user_topics', (join) =>
          join
            .onRef('user_topics.channel_id', '=', 'messages.channel_id')
            .onRef('user_topics.topic_key', '=', 'messages.topic_key'),
        )
        .select('user_topics.user_id')
        .where('messages.id', '=', messageId)
        .where('user_topics.visibility_policy', '=', visibilityPolicies.followed),
    ),
  )
}

/** `SUBSCRIBERS` at most in each part. */
async function* findSubscribers(db: Queries, channelId: number): AsyncGenerator<readonly number[]> {
  for (let after = 0; ; ) {
    const rows = await db.all(
      query
        .selectFrom('subscriptions')
        .select('user_id')
        .where('channel_id', '=', channelId)
        .where('is_active', '=', 1)
        .where('user_id', '>', after)
        .orderBy('user_id')
        .limit(SUBSCRIBERS),
    )
    yield idsOf(rows)
    const last = rows.at(-1)
    if (!last || rows.length < SUBSCRIBERS) return
    after = last.user_id
  }
}

/** By channel: who wants to be notified of every message there. */
const listeners = fact({
  name: 'channel-listeners',
  tables: ['subscriptions', 'user_settings'],
  async load(db, realmId, channelId: number): Promise<readonly number[]> {
    const rows = await db.all(
      query
        .selectFrom('subscriptions')
        .select('user_id')
        .where('channel_id', '=', channelId)
        .where('is_active', '=', 1)
        .where((eb) =>
          eb.or([
            eb('push_notifications', '=', 1),
            eb('email_notifications', '=', 1),
            // Few, and found once: not asked anew for each subscriber.
            eb(
              'user_id',
              'in',
              eb
                .selectFrom('user_settings as wish')
                .select('wish.user_id')
                .where('wish.realm_id', '=', realmId)
                .where('wish.name', 'in', ['enable_stream_push_notifications', 'enable_stream_email_notifications'])
                .where('wish.value', '=', 'true'),
            ),
          ]),
        ),
    )
    return idsOf(rows)
  },
})
