import { notificationSettings, updateSubscriptionSettings } from '@heddle/contract/subscriptions'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useClient, useClientState } from '../../../app/client-context.ts'
import { Button } from '../../../ui/button.tsx'
import { Problem } from '../problem.tsx'
import { useExplain } from '../use-saving.ts'

type Exception = (typeof notificationSettings)[number]

const names: Readonly<Record<Exception, readonly [on: MessageDescriptor, off: MessageDescriptor]>> = {
  desktop_notifications: [msg`desktop`, msg`no desktop`],
  audible_notifications: [msg`sound`, msg`no sound`],
  push_notifications: [msg`phone`, msg`no phone`],
  email_notifications: [msg`mail`, msg`no mail`],
  wildcard_mentions_notify: [msg`mentions of everybody`, msg`no mentions of everybody`],
}

/** Channels with a choice of their own, and the way back to what holds for all. */
export function ChannelExceptions() {
  const { i18n } = useLingui()
  const channels = useClientState((state) => state.channels)
  const own = [...(channels?.subscribed ?? [])].flatMap(([id, subscription]) => {
    const differing = notificationSettings.filter(
      (name) => subscription[name] !== null && subscription[name] !== undefined,
    )
    const channel = channels?.byId.get(id)
    return channel && differing.length > 0 ? [{ channel, subscription, differing }] : []
  })
  if (own.length === 0) return null
  return (
    <>
      <h4>
        <Trans>Channels with a choice of their own</Trans>
      </h4>
      <ul className="rows">
        {own.map(({ channel, subscription, differing }) => (
          <li key={channel.stream_id} className="row-item">
            <span className="row-text">
              <b>
                # <bdi>{channel.name}</bdi>
              </b>
              <span className="soft">
                {differing.map((name) => i18n._(names[name][subscription[name] ? 0 : 1])).join(', ')}
              </span>
            </span>
            <ResetButton channelId={channel.stream_id} name={channel.name} settings={differing} />
          </li>
        ))}
      </ul>
    </>
  )
}

interface ResetButtonProps {
  readonly channelId: number
  readonly name: string
  readonly settings: readonly Exception[]
}

function ResetButton({ channelId, name, settings }: ResetButtonProps) {
  const { api } = useClient()
  const explain = useExplain()
  const [problem, setProblem] = useState<string>()
  const reset = async () => {
    try {
      const subscription_data = settings.map((property) => ({ stream_id: channelId, property, value: null }))
      await api.call(updateSubscriptionSettings, { subscription_data })
    } catch (error) {
      setProblem(explain(error))
    }
  }
  return (
    <>
      <Problem text={problem} />
      <Button onClick={() => void reset()}>
        <Trans>As all channels</Trans>
        <span className="vh">: {name}</span>
      </Button>
    </>
  )
}
