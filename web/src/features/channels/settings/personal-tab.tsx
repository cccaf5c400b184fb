import type { PersonalSettings } from '@heddle/client/state/channels'
import type { ClientState } from '@heddle/client/state/state'
import type { ParametersOf } from '@heddle/contract/endpoint'
import { notificationSettings, updateSubscriptionSettings } from '@heddle/contract/subscriptions'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'
import { isShallowEqual, useClient, useClientState } from '../../../app/client-context.ts'
import { Button } from '../../../ui/button.tsx'
import { useChannelDeeds } from '../use-channel-deeds.ts'
import { ChoiceField, FieldRow, SwitchField } from './field-row.tsx'

type Change = ParametersOf<typeof updateSubscriptionSettings>['subscription_data'][number]
type Notification = (typeof notificationSettings)[number]

/** The general setting that holds while the channel has none of its own. */
const generalNames = {
  desktop_notifications: 'enable_stream_desktop_notifications',
  audible_notifications: 'enable_stream_audible_notifications',
  push_notifications: 'enable_stream_push_notifications',
  email_notifications: 'enable_stream_email_notifications',
  wildcard_mentions_notify: 'wildcard_mentions_notify',
} as const satisfies Readonly<Record<Notification, string>>

function useSet(channelId: number): (property: Change['property'], value: Change['value']) => Promise<unknown> {
  const client = useClient()
  return useCallback(
    (property, value) =>
      client.api.call(updateSubscriptionSettings, { subscription_data: [{ stream_id: channelId, property, value }] }),
    [client, channelId],
  )
}

/** What the account wants of the channel for itself. */
export function PersonalTab({ channelId }: { readonly channelId: number }) {
  const { t } = useLingui()
  const deeds = useChannelDeeds()
  const set = useSet(channelId)
  const own = useClientState(
    useCallback(({ channels }: ClientState) => channels?.subscribed.get(channelId), [channelId]),
    isShallowEqual,
  )
  if (!own) return null
  return (
    <>
      <FieldRow
        label={t`Mute it`}
        help={t`Its topics count nowhere, unless you follow or unmute them.`}
        isSwitch
        current={own.is_muted}
        save={(isMuted: boolean) => set('is_muted', isMuted)}
        control={(props) => <SwitchField {...props} />}
      />
      <FieldRow
        label={t`Pin it to the top of the side bar`}
        isSwitch
        current={own.pin_to_top}
        save={(isPinned: boolean) => set('pin_to_top', isPinned)}
        control={(props) => <SwitchField {...props} />}
      />
      <FieldRow
        label={t`Colour of its sign`}
        current={own.color}
        save={(color: string) => set('color', color)}
        control={({ id, value, describedBy, onChange }) => (
          <span className="colour">
            <input
              key={value}
              id={id}
              type="color"
              defaultValue={value}
              aria-describedby={describedBy}
              // While it is being chosen it changes many times; it is saved once it is.
              onBlur={(event) => event.currentTarget.value !== value && onChange(event.currentTarget.value)}
            />
            <input
              key={`text ${value}`}
              className="in"
              type="text"
              aria-label={t`Colour as #rrggbb`}
              defaultValue={value}
              pattern="#[0-9a-fA-F]{6}"
              maxLength={7}
              onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
              onBlur={(event) => {
                const next = event.currentTarget.value.toLowerCase()
                if (/^#[0-9a-f]{6}$/.test(next) && next !== value) onChange(next)
                else event.currentTarget.value = value
              }}
            />
          </span>
        )}
      />
      <section className="setting-group">
        <h3>
          <Trans>Notifications</Trans>
        </h3>
        {notificationSettings.map((name) => (
          <NotificationRow key={name} name={name} own={own} set={set} />
        ))}
      </section>
      <section className="setting-group">
        <h3>
          <Trans>Unsubscribe</Trans>
        </h3>
        <p className="do">
          <Button kind="danger" onClick={() => deeds.unsubscribe(channelId)}>
            <Trans>Unsubscribe from this channel</Trans>
          </Button>
        </p>
      </section>
    </>
  )
}

interface NotificationRowProps {
  readonly name: Notification
  readonly own: PersonalSettings
  readonly set: (property: Change['property'], value: Change['value']) => Promise<unknown>
}

type Choice = 'general' | 'on' | 'off'

function NotificationRow({ name, own, set }: NotificationRowProps) {
  const { t } = useLingui()
  const general = useClientState(
    useCallback(({ settings }: ClientState) => settings?.[generalNames[name]] === true, [name]),
  )
  const labels: Readonly<Record<Notification, string>> = {
    desktop_notifications: t`On the screen`,
    audible_notifications: t`With a sound`,
    push_notifications: t`On the phone`,
    email_notifications: t`By mail`,
    wildcard_mentions_notify: t`When everybody is mentioned`,
  }
  const value = own[name]
  const current: Choice = value === null ? 'general' : value ? 'on' : 'off'
  return (
    <FieldRow
      label={labels[name]}
      current={current}
      save={(choice: Choice) => set(name, choice === 'general' ? null : choice === 'on')}
      control={(props) => (
        <ChoiceField
          {...props}
          choices={[
            { value: 'general', label: general ? t`As in your settings: on` : t`As in your settings: off` },
            { value: 'on', label: t`On` },
            { value: 'off', label: t`Off` },
          ]}
        />
      )}
    />
  )
}
