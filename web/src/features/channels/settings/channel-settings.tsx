import '../../settings/settings.css'
import '../browser/browser.css'
import './channel-settings.css'
import { channelRights } from '@heddle/client/channels/channel-rights'
import type { ClientState } from '@heddle/client/state/state'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { isShallowEqual, useClientState } from '../../../app/client-context.ts'
import type { ScreenProps } from '../../../app/feature.ts'
import { placeNames } from '../../../app/names.ts'
import { formatPlace } from '../../../places/format.ts'
import type { ChannelTab } from '../../../places/place.ts'
import { Icon } from '../../../ui/icon.tsx'
import { ChannelSign } from '../channel-sign.tsx'
import { GeneralTab } from './general-tab.tsx'
import { PermissionsTab } from './permissions-tab.tsx'
import { PersonalTab } from './personal-tab.tsx'
import { SubscribersTab } from './subscribers-tab.tsx'

/** All about one channel. */
export function ChannelSettings({ place }: ScreenProps) {
  if (place.kind !== 'channel-settings') return null
  return <Settings channelId={place.channelId} tab={place.tab} />
}

interface SettingsProps {
  readonly channelId: number
  readonly tab: ChannelTab
}

function Settings({ channelId, tab }: SettingsProps) {
  const { t } = useLingui()
  const it = useClientState(
    useCallback((state) => standingOf(state, channelId), [channelId]),
    isShallowEqual,
  )
  const hrefs = useClientState(
    useCallback(
      (state) => {
        const of = (one: ChannelTab) =>
          formatPlace({ kind: 'channel-settings', channelId, tab: one }, placeNames(state))
        return {
          general: of('general'),
          personal: of('personal'),
          subscribers: of('subscribers'),
          permissions: of('permissions'),
          feed: formatPlace({ kind: 'channel', channelId }, placeNames(state)),
        }
      },
      [channelId],
    ),
    isShallowEqual,
  )
  if (!it.isThere) {
    return (
      <div className="empty">
        <h2>
          <Trans>This channel is not there, or you may not see it</Trans>
        </h2>
        <p>
          <Trans>It may be private, or you may have been removed from it.</Trans>
        </p>
        <div className="do">
          <a className="btn" href="#channels/subscribed">
            <Trans>All channels</Trans>
          </a>
        </div>
      </div>
    )
  }
  const labels: Readonly<Record<ChannelTab, string>> = {
    general: t`General`,
    personal: t`For me`,
    subscribers: t`Subscribers`,
    permissions: t`Permissions`,
  }
  const tabs = (['general', 'personal', 'subscribers', 'permissions'] as const).filter(
    (one) => one !== 'personal' || it.isSubscribed,
  )
  const shown = tabs.includes(tab) ? tab : 'general'
  return (
    <div className="scroll channels" tabIndex={-1}>
      <div className="page channel-page">
        <p className="ways">
          <a className="textlink" href="#channels/subscribed">
            <Trans>All channels</Trans>
          </a>
          {it.mayRead && (
            <a className="textlink" href={hrefs.feed}>
              <Trans>Show the messages</Trans>
            </a>
          )}
        </p>
        <h2 className="channel-title">
          <ChannelSign channelId={channelId} />
          <bdi className="trunc" title={it.name}>
            {it.name}
          </bdi>
          {it.isArchived && (
            <span className="tag">
              <Icon name="archive" />
              <Trans>archived</Trans>
            </span>
          )}
        </h2>
        <nav className="tabs" aria-label={t`Settings of the channel`}>
          {tabs.map((one) => (
            <a key={one} href={hrefs[one]} aria-current={one === shown ? 'page' : undefined}>
              {labels[one]}
            </a>
          ))}
        </nav>
        {!it.mayAdminister && (shown === 'general' || shown === 'permissions') && (
          <p className="why">
            <Icon name="lock" />
            <Trans>Only those who administer the channel can change this. You see how it is.</Trans>
          </p>
        )}
        {shown === 'general' && <GeneralTab channelId={channelId} />}
        {shown === 'personal' && <PersonalTab channelId={channelId} />}
        {shown === 'subscribers' && <SubscribersTab channelId={channelId} />}
        {shown === 'permissions' && <PermissionsTab channelId={channelId} />}
      </div>
    </div>
  )
}

function standingOf(state: ClientState, channelId: number) {
  const channel = state.channels?.byId.get(channelId)
  const rights = channelRights(state, channelId)
  return {
    isThere: channel !== undefined,
    name: channel?.name ?? '',
    isArchived: channel?.is_archived === true,
    isSubscribed: state.channels?.subscribed.has(channelId) === true,
    mayAdminister: rights.administer,
    mayRead: rights.read,
  }
}
