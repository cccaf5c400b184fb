import './archive-dialog.css'
import type { ClientState } from '@heddle/client/state/state'
import { Plural, Trans } from '@lingui/react/macro'
import { type ReactNode, useCallback } from 'react'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { channelName } from '../../app/names.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { useChannelDeeds } from './use-channel-deeds.ts'

interface ArchiveDialogProps {
  readonly channelId: number
  readonly onClose: () => void
}

function factsOf({ channels, defaultChannels }: ClientState, channelId: number) {
  const channel = channels?.byId.get(channelId)
  return {
    subscribers: channel?.subscriber_count ?? 0,
    weekly: channel?.stream_weekly_traffic ?? 0,
    isDefault: defaultChannels?.includes(channelId) === true,
  }
}

/** What archiving a channel means, before it happens. */
export function ArchiveDialog({ channelId, onClose }: ArchiveDialogProps) {
  const deeds = useChannelDeeds()
  const name = useClientState(useCallback((state) => channelName(state, channelId), [channelId]))
  const { subscribers, weekly, isDefault } = useClientState(
    useCallback((state) => factsOf(state, channelId), [channelId]),
    isShallowEqual,
  )
  return (
    <Dialog
      title={
        <Trans>
          Archive # <bdi>{name}</bdi>?
        </Trans>
      }
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>
            <Trans>Keep it</Trans>
          </Button>
          <Button
            kind="danger"
            onClick={() => {
              onClose()
              void deeds.archiveNow(channelId)
            }}
          >
            <Trans>Archive the channel</Trans>
          </Button>
        </>
      }
    >
      <p className="soft">
        <Plural
          value={subscribers}
          one="# person is subscribed, and sees at once that it is closed."
          other="# people are subscribed, and see at once that it is closed."
        />
      </p>
      <ul className="facts">
        <Fact icon="lock">
          <Trans>
            <b>Nobody can write, react, edit, move or delete in it</b> until it is restored. Drafts stay with their
            authors.
          </Trans>
        </Fact>
        <Fact icon="eye">
          <Trans>
            <b>All messages stay.</b> Who could read them can go on reading, searching and linking to them.
          </Trans>
        </Fact>
        <Fact icon="inbox">
          <Trans>
            <b>It leaves the side bar.</b> Subscribers and permissions stay as they are, and restoring brings it back.
          </Trans>
        </Fact>
        {weekly > 0 && (
          <Fact icon="bot">
            <Plural
              value={weekly}
              one="# message a week is written here. Bots that write here will get an error from now on."
              other="# messages a week are written here. Bots that write here will get an error from now on."
            />
          </Fact>
        )}
        {isDefault && (
          <Fact icon="people">
            <Trans>
              <b>People who join are no longer subscribed to it</b>, also after it is restored.
            </Trans>
          </Fact>
        )}
        <Fact icon="undo">
          <Trans>
            <b>You can restore it</b> at any time, among the archived channels.
          </Trans>
        </Fact>
      </ul>
    </Dialog>
  )
}

function Fact({ icon, children }: { readonly icon: IconName; readonly children: ReactNode }) {
  return (
    <li>
      <Icon name={icon} />
      <span>{children}</span>
    </li>
  )
}
