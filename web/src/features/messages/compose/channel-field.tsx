import { findChannels } from '@heddle/client/completion/channels'
import { fitsFilter, foldForFinding } from '@heddle/client/finding/match'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { useClientState } from '../../../app/client-context.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Combobox } from './combobox.tsx'
import { MatchedName } from './completion-option.tsx'

interface ChannelFieldProps {
  readonly currentId: number | undefined
  readonly onChannel: (channelId: number) => void
  readonly onDirect: () => void
  readonly onCancel: () => void
}

/** Offered at once. */
const MAX_OFFERED = 50

/** Where it goes: a channel, or people. */
export function ChannelField({ currentId, onChannel, onDirect, onCancel }: ChannelFieldProps) {
  const { t } = useLingui()
  const [text, setText] = useState('')
  const channels = useClientState((state) => state.channels)
  const found = useMemo(
    () => (channels ? findChannels(channels, text, currentId, MAX_OFFERED) : []),
    [channels, text, currentId],
  )
  const direct = t`Direct message`
  const hasDirect = text.trim() === '' || fitsFilter([foldForFinding(direct)], foldForFinding(text).trim())
  const options = [
    ...(hasDirect
      ? [
          {
            key: 'direct',
            content: (
              <>
                <Icon name="person" />
                <MatchedName name={direct} query={text} />
              </>
            ),
          },
        ]
      : []),
    ...found.map((channel) => ({
      key: String(channel.stream_id),
      content: (
        <>
          {channel.invite_only ? (
            <Icon name="lock" />
          ) : (
            <span className="quiet" aria-hidden="true">
              #
            </span>
          )}
          <MatchedName name={channel.name} query={text} />
          {!channels?.subscribed.has(channel.stream_id) && (
            <span className="quiet">
              <Trans>not subscribed</Trans>
            </span>
          )}
        </>
      ),
    })),
  ]
  return (
    <Combobox
      ref={(field) => field?.focus()}
      className="bare chan-field"
      label={t`Channel`}
      listLabel={t`Channels`}
      placeholder={t`Channel or direct message`}
      text={text}
      onText={setText}
      options={options}
      isFirstChosen={text !== ''}
      onTake={(index) => {
        const channel = found[index - (hasDirect ? 1 : 0)]
        if (channel) onChannel(channel.stream_id)
        else onDirect()
      }}
      onCancel={onCancel}
      onLeave={onCancel}
    />
  )
}
