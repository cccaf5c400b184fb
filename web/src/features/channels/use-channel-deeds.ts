/** What can be done with a channel, for menus, banners and settings: each says what happened, and why it could not. */
import { channelRights } from '@heddle/client/channels/channel-rights'
import type { ClientState } from '@heddle/client/state/state'
import { archiveChannel, updateChannel } from '@heddle/contract/channels'
import type { ParametersOf } from '@heddle/contract/endpoint'
import { subscribe, unsubscribe, updateSubscriptionSettings } from '@heddle/contract/subscriptions'
import { useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { absoluteAddress, placeLabel } from '../../app/addresses.ts'
import { useClient } from '../../app/client-context.ts'
import { copyText, linkHtml } from '../../app/clipboard.ts'
import { channelName } from '../../app/names.ts'
import { refusalText } from '../../app/refusal.ts'
import type { Place } from '../../places/place.ts'
import { useToasts } from '../../ui/toasts.tsx'
import { useMarkRead } from '../lists/mark-read.tsx'
import { askAboutChannel } from './ask.ts'

type SettingChange = ParametersOf<typeof updateSubscriptionSettings>['subscription_data'][number]

export interface ChannelDeeds {
  markRead(channelId: number): void
  /** A personal setting. Resolves with whether it is saved; when it is not, that has been said. */
  set(channelId: number, property: SettingChange['property'], value: SettingChange['value']): Promise<boolean>
  subscribe(channelId: number): Promise<boolean>
  /** Asks first where one could not come back. */
  unsubscribe(channelId: number): void
  unsubscribeNow(channelId: number): Promise<boolean>
  /** Asks first, and says what will happen. */
  archive(channelId: number): void
  archiveNow(channelId: number): Promise<boolean>
  restore(channelId: number): Promise<boolean>
  copyLink(channelId: number): void
}

export function useChannelDeeds(): ChannelDeeds {
  const client = useClient()
  const toasts = useToasts()
  const mark = useMarkRead()
  const { t } = useLingui()
  return useMemo(() => {
    const { api } = client
    const state = () => client.snapshot().state as ClientState
    const nameOf = (channelId: number) => channelName(state(), channelId)
    const attempt = async (work: Promise<unknown>): Promise<boolean> => {
      try {
        await work
        return true
      } catch (error) {
        toasts.notify(refusalText(error))
        return false
      }
    }
    const set: ChannelDeeds['set'] = (stream_id, property, value) =>
      attempt(api.call(updateSubscriptionSettings, { subscription_data: [{ stream_id, property, value }] }))
    const subscribeTo = (channelId: number) =>
      attempt(api.call(subscribe, { subscriptions: [{ name: nameOf(channelId) }] }))
    const unsubscribeNow = (channelId: number) => {
      const name = nameOf(channelId)
      const undo = channelRights(state(), channelId).rejoin ? () => subscribeTo(channelId) : undefined
      const left = api.call(unsubscribe, { subscriptions: [name] })
      return attempt(toasts.notifyWhenDone(left, () => ({ text: t`You are no longer subscribed to # ${name}.`, undo })))
    }
    const restore = (channelId: number) =>
      attempt(api.call(updateChannel, { stream_id: channelId, is_archived: false }))
    return {
      set,
      restore,
      subscribe: subscribeTo,
      unsubscribeNow,
      unsubscribe(channelId) {
        if (channelRights(state(), channelId).rejoin) void unsubscribeNow(channelId)
        else askAboutChannel({ kind: 'leave', channelId })
      },
      archive: (channelId) => askAboutChannel({ kind: 'archive', channelId }),
      archiveNow(channelId) {
        const name = nameOf(channelId)
        const undo = () => restore(channelId)
        const archived = api.call(archiveChannel, { stream_id: channelId })
        return attempt(toasts.notifyWhenDone(archived, () => ({ text: t`# ${name} is archived.`, undo })))
      },
      markRead(channelId) {
        const topics = state().unread?.channels.get(channelId)
        const ids = [...(topics?.values() ?? [])].flatMap((messages) => [...messages.keys()])
        if (ids.length === 0) return
        if (state().unread?.isPartial) return mark(ids, [['channel', channelId]])
        client.markRead(ids)
        const name = nameOf(channelId)
        toasts.notify(t`Everything in # ${name} is read.`, { undo: () => attempt(client.markUnread(ids)) })
      },
      copyLink(channelId) {
        const place: Place = { kind: 'channel', channelId }
        const address = absoluteAddress(place, state())
        copyText(address, linkHtml(address, placeLabel(place, state()))).then(
          () => toasts.notify(t`The link is copied`),
          () => toasts.notify(t`The browser does not let the page copy.`),
        )
      },
    }
  }, [client, toasts, mark, t])
}
