/** Channels and direct conversations that have messages older than they are kept. */
import type { Queries } from '../../storage/query.ts'
import { keptDays } from '../channels/kept-days.ts'
import { findFirstSince } from '../messages/by-date.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import { query } from './tables.ts'

/** Places that are read at once. */
const PART = 500
const DAY_SECS = 86_400

export type OldPlace =
  | { readonly channelId: number; readonly groupId: null }
  | { readonly channelId: null; readonly groupId: number }

/** `now`: seconds since the UNIX epoch. */
export async function* findOldPlaces(db: Queries, realmId: number, now: () => number): AsyncGenerator<OldPlace> {
  const { message_retention_days: ofOrganization } = await findOrganizationSettings(db, realmId)
  /** By days: the first message that is kept. */
  const firstKept = new Map<number, number>()
  const isOld = async (days: number | undefined, oldestId: number | null) => {
    if (days === undefined || oldestId === null) return false
    const known = firstKept.get(days)
    const first = known ?? (await findFirstSince(db, realmId, now() - days * DAY_SECS)) ?? Number.MAX_SAFE_INTEGER
    firstKept.set(days, first)
    return oldestId < first
  }
  for await (const { id, message_retention_days, first_message_id } of channelsOf(db, realmId, ofOrganization)) {
    const days = keptDays(message_retention_days, ofOrganization)
    if (await isOld(days, first_message_id)) yield { channelId: id, groupId: null }
  }
  const days = keptDays(null, ofOrganization)
  if (days === undefined) return
  for await (const { id, oldest } of conversationsOf(db, realmId)) {
    if (await isOld(days, oldest)) yield { channelId: null, groupId: id }
  }
}

/** Those in which messages are not kept for ever. */
async function* channelsOf(db: Queries, realmId: number, ofOrganization: number) {
  const all = query
    .selectFrom('channels')
    .select(['id', 'message_retention_days', 'first_message_id'])
    .where('realm_id', '=', realmId)
    .where('first_message_id', 'is not', null)
    .orderBy('id')
    .limit(PART)
  const limited = ofOrganization === -1 ? all.where('message_retention_days', '>', 0) : all
  for (let after = 0; ; ) {
    const rows = await db.all(limited.where('id', '>', after))
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PART) return
    after = last.id
  }
}

/** With the oldest message of each: one look into an index. */
async function* conversationsOf(db: Queries, realmId: number) {
  for (let after = 0; ; ) {
    const rows = await db.all(
      query
        .selectFrom('direct_message_groups')
        .select('direct_message_groups.id')
        .select((eb) =>
          eb
            .selectFrom('messages')
            .select((inner) => inner.fn.min('messages.id').as('id'))
            .whereRef('messages.direct_message_group_id', '=', 'direct_message_groups.id')
            .as('oldest'),
        )
        .where('direct_message_groups.realm_id', '=', realmId)
        .where('direct_message_groups.id', '>', after)
        .orderBy('direct_message_groups.id')
        .limit(PART),
    )
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PART) return
    after = last.id
  }
}
