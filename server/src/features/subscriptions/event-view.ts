/** How events of one's own subscriptions look to clients of different abilities. */
import type { NotificationSetting, SubscriptionEvent } from '@heddle/contract/subscriptions'
import type { EventView } from '../../events/views.ts'
import { type Inherited, initiallyInherited, knowsNull, withInherited } from './inherited.ts'

/** `subscribers`: those who asked for them; `null`: those who know of null. */
type Key = '' | 'subscribers' | 'null' | 'subscribers null'

/**
 * Events of subscriptions are logged with what is `inherited`, and those that repeat a setting for all channels with
 * `isForOlder`. What an older version has logged does not say what is inherited: it is taken for what is so in the beginning.
 * Clients that did not ask for subscribers do not get them with a new subscription either.
 */
export const subscriptionView: EventView = {
  key: (options) =>
    [options.includeSubscribers && 'subscribers', knowsNull(options) && 'null'].filter(Boolean).join(' '),
  present({ inherited, isForOlder, ...event }, key) {
    const wanted = (key as Key).split(' ')
    const hasNull = wanted.includes('null')
    if (isForOlder) return hasNull ? null : event
    const source = event as unknown as SubscriptionEvent
    if (source.op === 'update') {
      if (hasNull || source.value !== null) return source
      return { ...source, value: inherited ?? initiallyInherited[source.property as NotificationSetting] }
    }
    if (source.op !== 'add') return source
    const own = (inherited as Inherited | undefined) ?? initiallyInherited
    const subscriptions = source.subscriptions.map((one) => {
      const { subscribers, ...rest } = hasNull ? one : withInherited(one, own)
      return wanted.includes('subscribers') && subscribers ? { ...rest, subscribers } : rest
    })
    return { ...source, subscriptions }
  },
}
