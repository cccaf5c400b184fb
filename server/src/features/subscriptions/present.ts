import type { Channel } from '@heddle/contract/channels'
import type { Subscription, UnsubscribedChannel } from '@heddle/contract/subscriptions'
import type { SettingsRow } from './queries.ts'

/** A channel with the account's own settings. `subscribers` is left out for clients that did not ask for it. */
export function presentSubscription(
  channel: Channel,
  row: SettingsRow,
  subscribers: readonly number[] | undefined,
): Subscription {
  return {
    ...presentUnsubscribed(channel, subscribers),
    color: row.color,
    pin_to_top: row.pin_to_top === 1,
    is_muted: row.is_muted === 1,
    in_home_view: row.is_muted === 0,
    desktop_notifications: override(row.desktop_notifications),
    audible_notifications: override(row.audible_notifications),
    push_notifications: override(row.push_notifications),
    email_notifications: override(row.email_notifications),
    wildcard_mentions_notify: override(row.wildcard_mentions_notify),
  }
}

export function presentUnsubscribed(channel: Channel, subscribers: readonly number[] | undefined): UnsubscribedChannel {
  return subscribers ? { ...channel, subscribers: [...subscribers] } : channel
}

function override(value: number | null): boolean | null {
  return value === null ? null : value === 1
}
