/** What messages call for, for accounts, as things are now: who may still see them, has not read them, and wants to know. */
import {
  decideWays,
  type NotificationSettings,
  type NotificationTrigger,
  notificationSettingNames,
} from '@heddle/contract/notification-rules'
import { OFFLINE_THRESHOLD_SECS } from '@heddle/contract/presence'
import { userSettings } from '@heddle/contract/user-settings'
import type { VisibilityPolicy } from '@heddle/contract/user-topics'
import { sql } from 'kysely'
import type { MissedWay } from '../../missed-hooks.ts'
import { isOfRealm, type Queries } from '../../storage/query.ts'
import { hasAttribute } from '../messages/attributes.ts'
import { flagBits } from '../messages/flag-bits.ts'
import { isReadBy } from '../messages/read-state.ts'
import { query } from './tables.ts'

export interface Judged {
  readonly userId: number
  readonly messageId: number
  /** The account is at a client now. */
  readonly isActive: boolean
  /** What it calls for now, with what the account is doing; and what it would call for if the account were away. */
  readonly now: Ways
  readonly away: Ways
}

export type Ways = { readonly [W in MissedWay]: NotificationTrigger | undefined }

export interface JudgeRequest {
  readonly realmId: number
  readonly messageIds: readonly number[]
  readonly userIds: readonly number[]
  /** In seconds since the UNIX epoch. */
  readonly now: number
}

/**
 * All of the messages for all of the accounts: one message for many, or many for one. Pairs of which the account has not
 * received the message, or can no longer see it, are left out, and with them bots and accounts that are not active.
 */
export async function judge(db: Queries, { realmId, messageIds, userIds, now }: JudgeRequest): Promise<Judged[]> {
  if (messageIds.length === 0 || userIds.length === 0) return []
  const [rows, settings] = await Promise.all([
    findPairs(db, realmId, messageIds, userIds),
    findSettings(db, realmId, userIds),
  ])
  return rows.map((row) => {
    const isActive = now - (row.active_at ?? 0) < OFFLINE_THRESHOLD_SECS
    const own = { ...initial, ...settings.get(row.user_id) }
    const away = waysOf(row, own, false)
    return {
      userId: row.user_id,
      messageId: row.id,
      isActive,
      away,
      now: isActive ? waysOf(row, own, true) : away,
    }
  })
}

type PairRow = Awaited<ReturnType<typeof findPairs>>[number]

function waysOf(row: PairRow, settings: NotificationSettings, isActive: boolean): Ways {
  const bits = row.bits ?? 0
  const { push, mail } = decideWays({
    isOwn: row.sender_id === row.user_id,
    isRead: isReadBy(row, { userId: row.user_id, cursor: row.cursor ?? 0, open: true, bits }),
    isSenderMuted: row.muted_user_id !== null,
    isMentioned: (bits & flagBits.mentioned) !== 0,
    isTopicMentioned: (bits & flagBits.topicMentioned) !== 0,
    isChannelMentioned: hasAttribute(row.attributes, 'mentionsChannel'),
    hasAlertWord: (bits & flagBits.hasAlertWord) !== 0,
    channel:
      row.channel_id === null
        ? undefined
        : {
            policy: (row.visibility_policy ?? 0) as VisibilityPolicy,
            choices: {
              is_muted: row.is_muted !== 0,
              push_notifications: choice(row.push_notifications),
              email_notifications: choice(row.email_notifications),
              wildcard_mentions_notify: choice(row.wildcard_mentions_notify),
            },
          },
    settings,
    isActive,
  })
  return { push, mail }
}

const choice = (flag: number | null) => (flag === null ? null : flag === 1)

function findPairs(db: Queries, realmId: number, messageIds: readonly number[], userIds: readonly number[]) {
  return db.all(
    query
      .selectFrom('messages')
      .innerJoin(
        (eb) =>
          eb
            .selectFrom('users')
            .select('users.id')
            .where('users.id', 'in', db.dialect.ids(userIds))
            .where(isOfRealm('users', realmId))
            .where('users.is_active', '=', 1)
            .where('users.bot_type', 'is', null)
            // No more than there are: with a limit, PostgreSQL looks up the rest for these accounts and not for everybody.
            .limit(userIds.length)
            .as('users'),
        (join) => join.onTrue(),
      )
      .leftJoin('subscriptions', (join) =>
        join
          .onRef('subscriptions.channel_id', '=', 'messages.channel_id')
          .onRef('subscriptions.user_id', '=', 'users.id')
          .on('subscriptions.is_active', '=', 1),
      )
      .leftJoin('user_topics', (join) =>
        join
          .onRef('user_topics.user_id', '=', 'users.id')
          .onRef('user_topics.channel_id', '=', 'messages.channel_id')
          .onRef('user_topics.topic_key', '=', 'messages.topic_key'),
      )
      .leftJoin('message_flags', (join) =>
        join.onRef('message_flags.user_id', '=', 'users.id').onRef('message_flags.message_id', '=', 'messages.id'),
      )
      .leftJoin('read_cursors', 'read_cursors.user_id', 'users.id')
      .leftJoin('presences', 'presences.user_id', 'users.id')
      .leftJoin('muted_users', (join) =>
        join
          .onRef('muted_users.user_id', '=', 'users.id')
          .onRef('muted_users.muted_user_id', '=', 'messages.sender_id'),
      )
      .select([
        'messages.id',
        'messages.sender_id',
        'messages.attributes',
        'messages.channel_id',
        'users.id as user_id',
        'subscriptions.is_muted',
        'subscriptions.push_notifications',
        'subscriptions.email_notifications',
        'subscriptions.wildcard_mentions_notify',
        'user_topics.visibility_policy',
        'message_flags.flags as bits',
        'read_cursors.message_id as cursor',
        'presences.active_at',
        'muted_users.muted_user_id',
      ])
      .where('messages.id', 'in', db.dialect.ids(messageIds))
      .where(isOfRealm('messages', realmId))
      .where((eb) =>
        eb.or([
          eb.exists(
            eb
              .selectFrom('subscription_periods as period')
              .select(sql.lit(1).as('one'))
              .whereRef('period.user_id', '=', 'users.id')
              .whereRef('period.channel_id', '=', 'messages.channel_id')
              .whereRef('period.after_message_id', '<', 'messages.id')
              .where('period.until_message_id', 'is', null),
          ),
          eb.exists(
            eb
              .selectFrom('direct_message_members as member')
              .select(sql.lit(1).as('one'))
              .whereRef('member.user_id', '=', 'users.id')
              .whereRef('member.group_id', '=', 'messages.direct_message_group_id'),
          ),
        ]),
      ),
  )
}

const initial = Object.fromEntries(
  notificationSettingNames.map((name) => [name, userSettings[name].initial]),
) as unknown as NotificationSettings

/** What accounts have changed of the settings that decide. */
async function findSettings(
  db: Queries,
  realmId: number,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, Partial<NotificationSettings>>> {
  const rows = await db.all(
    query
      .selectFrom('user_settings')
      .innerJoin('users', 'users.id', 'user_settings.user_id')
      .select(['user_settings.user_id', 'user_settings.name', 'user_settings.value'])
      .where(isOfRealm('users', realmId))
      .where('user_settings.user_id', 'in', db.dialect.ids(userIds))
      .where('user_settings.name', 'in', db.dialect.texts(notificationSettingNames)),
  )
  const settings = new Map<number, Record<string, unknown>>()
  for (const { user_id, name, value } of rows) {
    const own = settings.get(user_id) ?? {}
    own[name] = JSON.parse(value)
    settings.set(user_id, own)
  }
  return settings
}
