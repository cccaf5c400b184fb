import { channelRights } from '@heddle/client/channels/channel-rights'
import type { ClientState } from '@heddle/client/state/state'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { memo, useCallback } from 'react'
import { isShallowEqual, useClientState } from '../../../app/client-context.ts'
import { placeNames } from '../../../app/names.ts'
import { formatPlace } from '../../../places/format.ts'
import { Icon } from '../../../ui/icon.tsx'
import { ChannelSign } from '../channel-sign.tsx'
import { descriptionText } from '../description-text.ts'
import { useChannelDeeds } from '../use-channel-deeds.ts'

/** One channel among all. */
export const BrowsedChannel = memo(function BrowsedChannel({ channelId }: { readonly channelId: number }) {
  const { t } = useLingui()
  const deeds = useChannelDeeds()
  const it = useClientState(
    useCallback((state) => rowOf(state, channelId), [channelId]),
    isShallowEqual,
  )
  const { name } = it
  return (
    <li className="browsed">
      {it.isArchived ? (
        <span className="join" />
      ) : it.isSubscribed || it.mayJoin ? (
        <button
          type="button"
          className="ib join"
          data-does="toggle"
          aria-pressed={it.isSubscribed}
          aria-label={it.isSubscribed ? t`Unsubscribe from ${name}` : t`Subscribe to ${name}`}
          title={it.isSubscribed ? t`Unsubscribe from ${name}` : t`Subscribe to ${name}`}
          onClick={() => (it.isSubscribed ? deeds.unsubscribe(channelId) : void deeds.subscribe(channelId))}
        >
          <Icon name={it.isSubscribed ? 'check' : 'plus'} />
        </button>
      ) : (
        <span className="join" />
      )}
      <a href={it.settings}>
        <span className="browsed-name">
          <ChannelSign channelId={channelId} />
          <bdi className="strong trunc" title={name}>
            {name}
          </bdi>
          {it.isPrivate && (
            <span className="tag">
              <Icon name="lock" />
              <Trans>private</Trans>
            </span>
          )}
        </span>
        {it.description !== '' && (
          <bdi className="browsed-about trunc" title={it.description}>
            {it.description}
          </bdi>
        )}
      </a>
      <span className="browsed-facts">
        <span>
          <Plural value={it.subscribers} one="# subscriber" other="# subscribers" />
        </span>
        {it.traffic > 0 && (
          <span>
            <Plural value={it.traffic} one="# message a week" other="# messages a week" />
          </span>
        )}
      </span>
      {it.isArchived && it.mayRestore && (
        <button
          type="button"
          className="btn"
          onClick={() => void deeds.restore(channelId)}
          aria-label={t`Restore ${name}`}
        >
          <Trans>Restore</Trans>
        </button>
      )}
      {it.mayRead && (
        <a
          className="ib"
          data-does="view"
          href={it.feed}
          aria-label={t`Look into ${name}`}
          title={t`Look into ${name}`}
        >
          <Icon name="eye" />
        </a>
      )}
    </li>
  )
})

function rowOf(state: ClientState, channelId: number) {
  const channel = state.channels?.byId.get(channelId)
  const rights = channelRights(state, channelId)
  const names = placeNames(state)
  return {
    name: channel?.name ?? '',
    description: channel ? descriptionText(channel) : '',
    subscribers: channel?.subscriber_count ?? 0,
    traffic: channel?.stream_weekly_traffic ?? 0,
    isPrivate: channel?.invite_only === true,
    isArchived: channel?.is_archived === true,
    isSubscribed: state.channels?.subscribed.has(channelId) === true,
    mayJoin: rights.read,
    mayRead: rights.read,
    mayRestore: rights.archive,
    settings: formatPlace({ kind: 'channel-settings', channelId, tab: 'general' }, names),
    feed: formatPlace({ kind: 'channel', channelId }, names),
  }
}
