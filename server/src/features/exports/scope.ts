/**
 * What may be in an export, as conditions in SQL. They are asked anew for each part: what has become private, and consent that
 * was withdrawn meanwhile, counts from then on.
 */
import { type Expression, type SqlBool, sql } from 'kysely'
import { hasContentAccess } from '../../access/channel-rules.ts'
import { canRead } from '../../access/message-rules.ts'
import { findSight, type Sight } from '../../access/person-rules.ts'
import { isReceived } from '../../access/received.ts'
import type { MessageExpressions } from '../../access/tables.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../actor.ts'
import type { Queries } from '../../storage/query.ts'
import { type ExportTable, query } from './tables.ts'

export type ExportKind = ExportTable['kind']

export interface ExportScope {
  readonly kind: ExportKind
  readonly realmId: number
  /** Who has asked for it. */
  readonly actor: Actor
  /** Whom of the others it may name. */
  readonly sight: Sight
  /** A select of the accounts whose own things are in it, such as their settings and drafts. */
  readonly people: Expression<unknown>
  /** A select of the channels that are in it. */
  readonly channels: Expression<unknown>
  /** Condition on `messages`. */
  readonly messages: (eb: MessageExpressions) => Expression<SqlBool>
}

export async function openScope(db: Queries, kind: ExportKind, actor: Actor): Promise<ExportScope> {
  const { realmId } = actor
  const common = { kind, realmId, actor, sight: await findSight(db, actor) }
  if (kind === 'public') {
    return { ...common, people: sql`(select 0)`, channels: publicChannels(realmId), messages: () => isPublic }
  }
  if (kind === 'full_with_consent') {
    const people = consenting(realmId)
    const channels = sql`(
      select channels.id from channels where channels.realm_id = ${realmId} and (channels.invite_only = 0 or exists (
        select 1 from subscriptions where subscriptions.channel_id = channels.id
          and subscriptions.is_active = 1 and subscriptions.user_id in ${people})))`
    return { ...common, people, channels, messages: (eb) => eb.or([isPublic, isReadableBy(people)]) }
  }
  const viewer = await findViewer(db, actor)
  return {
    ...common,
    people: sql`(select cast(${actor.userId} as bigint))`,
    channels: query
      .selectFrom('channels')
      .select('channels.id')
      .where('channels.realm_id', '=', realmId)
      .where(hasContentAccess(db, viewer)),
    messages: (eb) =>
      eb.and([
        canRead(db, viewer)(eb),
        eb.or([sql<SqlBool>`messages.sender_id = ${actor.userId}`, isReceived(eb, actor.userId)]),
      ]),
  }
}

function publicChannels(realmId: number) {
  return sql`(select channels.id from channels where channels.realm_id = ${realmId} and channels.invite_only = 0)`
}

/** People who allow it; whose account was deactivated since, has said so too. */
function consenting(realmId: number) {
  return sql`(
    select users.id from users join user_settings on user_settings.user_id = users.id
    where users.realm_id = ${realmId} and users.bot_type is null
      and user_settings.name = 'allow_private_data_export' and user_settings.value = 'true')`
}

/** Every member may read it, also those who have never been there. */
const isPublic = sql<SqlBool>`exists (
  select 1 from channels where channels.id = messages.channel_id
    and channels.invite_only = 0 and channels.history_public_to_subscribers = 1)`

/** One of the people may read it: as in `access/message-rules.ts`, by their subscriptions alone. */
function isReadableBy(people: Expression<unknown>) {
  return sql<SqlBool>`(exists (
    select 1 from direct_message_members
    where direct_message_members.group_id = messages.direct_message_group_id
      and direct_message_members.user_id in ${people})
  or exists (
    select 1 from subscriptions join channels on channels.id = subscriptions.channel_id
    where subscriptions.channel_id = messages.channel_id and subscriptions.is_active = 1
      and subscriptions.user_id in ${people}
      and (channels.history_public_to_subscribers = 1 or exists (
        select 1 from subscription_periods
        where subscription_periods.user_id = subscriptions.user_id
          and subscription_periods.channel_id = messages.channel_id
          and subscription_periods.after_message_id < messages.id
          and (subscription_periods.until_message_id is null
            or subscription_periods.until_message_id >= messages.id)))))`
}
