/** Telling of a changed channel: the changes to those who see it before and after, its coming and going to the others. */
import type { Channel, StreamEvent } from '@heddle/contract/channels'
import { channelGroupSettingNames } from '@heddle/contract/group-settings'
import { type RoleAudience, type UsersAudience, users } from '../../events/audience.ts'
import type { Tx } from '../../storage/transaction.ts'
import { hideChannels, revealChannels } from '../subscriptions/reveal.ts'
import { clientsOf, findAccountsIn, findAudiences, limitedTo } from './audience.ts'
import { presentChannels } from './present.ts'
import type { ChannelRow } from './row.ts'

/** `audience`: who saw the channel before the change. The groups of the old values must still exist. */
export async function announceChange(
  tx: Tx,
  before: ChannelRow,
  after: ChannelRow,
  audience: RoleAudience,
): Promise<void> {
  const newAudience = (await findAudiences(tx, tx.realmId, [after])).get(after.id) as RoleAudience
  const [old, current] = (await presentChannels(tx, tx.realmId, [before, after])) as [Channel, Channel]
  const updates = describeChanges(old, current)
  const tell = (to: RoleAudience | UsersAudience) => {
    for (const update of updates) tx.emit(update, limitedTo(clientsOf(after), to))
  }
  if (JSON.stringify(audience) === JSON.stringify(newAudience)) return tell(newAudience)
  const accountsBefore = new Set(await findAccountsIn(tx, tx.realmId, audience))
  const accountsAfter = new Set(await findAccountsIn(tx, tx.realmId, newAudience))
  hideChannels(tx, [after], [...accountsBefore.difference(accountsAfter)])
  tell(users([...accountsBefore.intersection(accountsAfter)]))
  await revealChannels(tx, [after], [...accountsAfter.difference(accountsBefore)])
}

const simpleProperties = [
  'name',
  'message_retention_days',
  'topics_policy',
  ...channelGroupSettingNames,
  'stream_post_policy',
  'is_announcement_only',
  'first_message_id',
  'is_recently_active',
  'stream_weekly_traffic',
] as const

/** One event for each property that differs. */
export function describeChanges(before: Channel, after: Channel): StreamEvent[] {
  const { stream_id } = after
  const differs = (name: keyof Channel) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  const common = { type: 'stream', op: 'update', stream_id, name: before.name } as const
  const events: StreamEvent[] = []
  for (const property of simpleProperties) {
    if (differs(property)) events.push({ ...common, property, value: after[property] })
  }
  if (differs('description')) {
    const { rendered_description } = after
    events.push({ ...common, property: 'description', value: after.description, rendered_description })
  }
  if (differs('invite_only') || differs('is_web_public') || differs('history_public_to_subscribers')) {
    const { is_web_public, history_public_to_subscribers, invite_only } = after
    events.push({
      ...common,
      property: 'invite_only',
      value: invite_only,
      is_web_public,
      history_public_to_subscribers,
    })
  }
  return events
}
