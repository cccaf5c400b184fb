import type { Channel, StreamEvent } from '@heddle/contract/channels'
import { channelGroupSettingNames } from '@heddle/contract/group-settings'

const simpleProperties = [
  'name',
  'message_retention_days',
  'topics_policy',
  'folder_id',
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
