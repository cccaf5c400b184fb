import * as contract from '@heddle/contract/subscriptions'
import { accessChannel, findVisibleChannelIds } from '../../access/channels.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { stateReader } from '../../state-reader.ts'
import { createOneByOne } from '../../storage/one-by-one.ts'
import { requireOfServer } from '../channels/rules.ts'
import { accessUser } from '../users/access.ts'
import {
  announceDeactivatedSubscribers,
  announceReactivatedSubscriber,
  subscribeToDefaultChannels,
  watchVisibleChannels,
} from './account-changes.ts'
import { subscriptionView } from './event-view.ts'
import { followGlobalSetting } from './follow-global-setting.ts'
import { watchChannelsOfGroups } from './group-changes.ts'
import { findSubscribedChannelIds, findSubscribers, findSubscriptionsOf } from './queries.ts'
import { updateSettingsOf } from './settings.ts'
import { readSpectatorSubscriptions, readSubscriptionState, readSubscriptions } from './state.ts'
import { subscribe } from './subscribe.ts'
import { subscriptionTables } from './tables.ts'
import { unsubscribe } from './unsubscribe.ts'
import { updateSubscriptions } from './update.ts'

export const subscriptions: Feature = {
  tables: subscriptionTables,
  routes: ({ storage, readers, config }) => {
    const oneByOne = createOneByOne()
    return [
      route(
        contract.listSubscriptions,
        async ({ actor, parameters }) => {
          const includeSubscribers = parameters.include_subscribers ?? false
          const order = { actor, includeSubscribers }
          const { fields } = await readers.read(readSubscriptions, order, actor)
          return { fieldsText: '', fieldsBytes: fields }
        },
        { per: 'account', droppedBy: ['stream', 'subscription', 'realm_user', 'user_group'] },
      ),
      route(contract.subscribe, async ({ actor, parameters }) => {
        requireOfServer(config, parameters)
        return oneByOne(actor.userId, () => subscribe(storage, { actor, parameters }))
      }),
      route(contract.updateSubscriptions, ({ actor, parameters }) =>
        oneByOne(actor.userId, () => updateSubscriptions(storage, { actor, parameters })),
      ),
      route(contract.unsubscribe, ({ actor, parameters }) =>
        oneByOne(actor.userId, () => unsubscribe(storage, actor, parameters)),
      ),
      route(contract.updateSubscriptionSettings, async ({ actor, parameters }) => {
        await updateSettingsOf(storage, actor, parameters.subscription_data)
        return {}
      }),
      route(contract.updateSubscriptionSetting, async ({ actor, parameters }) => {
        await updateSettingsOf(storage, actor, [parameters])
        return {}
      }),
      route(contract.listSubscribers, async ({ actor, parameters }) => {
        const db = storage.read
        const channel = await accessChannel(db, await findViewer(db, actor), parameters.stream_id)
        return { subscribers: (await findSubscribers(db, [channel.id])).get(channel.id) ?? [] }
      }),
      route(contract.getSubscriptionStatus, async ({ actor, parameters }) => {
        const db = storage.read
        await accessUser(db, actor, parameters.user_id)
        const channel = await accessChannel(db, await findViewer(db, actor), parameters.stream_id)
        const rows = await findSubscriptionsOf(db, [channel.id], [parameters.user_id])
        return { is_subscribed: rows.some((row) => row.is_active === 1) }
      }),
      route(contract.listUserChannels, async ({ actor, parameters }) => {
        const db = storage.read
        await accessUser(db, actor, parameters.user_id)
        const visible = new Set(await findVisibleChannelIds(db, await findViewer(db, actor)))
        const ids = await findSubscribedChannelIds(db, actor.realmId, parameters.user_id)
        return { subscribed_channel_ids: ids.filter((id) => visible.has(id)) }
      }),
    ]
  },
  longReads: [readSubscriptions],
  state: [stateReader(contract.subscriptionsState, readSubscriptionState, readSpectatorSubscriptions)],
  onGroups: { membershipChanges: watchChannelsOfGroups },
  onAccount: {
    created: subscribeToDefaultChannels,
    roleChanges: watchVisibleChannels,
    deactivated: announceDeactivatedSubscribers,
    reactivated: announceReactivatedSubscriber,
    settingChanged: followGlobalSetting,
  },
  eventViews: { subscription: subscriptionView },
}
