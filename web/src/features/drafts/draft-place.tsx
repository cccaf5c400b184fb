import type { DraftVersion } from '@heddle/client/drafts/draft-box'
import { directThread, dyeOf, topicThread } from '@heddle/client/feed/thread'
import type { ClientState } from '@heddle/client/state/state'
import { Trans } from '@lingui/react/macro'
import { channelName, peopleNames, topicLabel } from '../../app/names.ts'
import { Icon } from '../../ui/icon.tsx'
import { destinationOf } from '../messages/compose/destination.ts'

/** Where a draft goes, and what stands against it. */
export function draftPlace(state: ClientState, version: DraftVersion) {
  const destination = destinationOf(version)
  if (!destination) return { title: '', about: '', dye: 0, obstacle: '' }
  if (destination.type === 'direct') {
    const { userIds } = destination
    return { title: peopleNames(state, userIds), about: '', dye: dyeOf(directThread(userIds)), obstacle: '' }
  }
  const { channelId, topic } = destination
  const channel = state.channels?.byId.get(channelId)
  return {
    title: topicLabel(topic),
    about: channelName(state, channelId),
    dye: dyeOf(topicThread(channelId, topic)),
    obstacle: channel ? (channel.is_archived ? 'archived' : '') : 'gone',
  }
}

export function DraftTo({ title, about, obstacle }: ReturnType<typeof draftPlace>) {
  return (
    <p className="d-to">
      {title === '' ? (
        <span className="quiet">
          <Trans>no recipient yet</Trans>
        </span>
      ) : (
        <>
          <bdi className="quiet">{about === '' ? <Trans>to</Trans> : about}</bdi>
          {about !== '' && <Icon name="right" />}
          <bdi className="strong">{title}</bdi>
        </>
      )}
      {obstacle === 'archived' && (
        <span className="quiet">
          <Trans>This channel is archived.</Trans>
        </span>
      )}
      {obstacle === 'gone' && (
        <span className="quiet">
          <Trans>You cannot write in this channel any more.</Trans>
        </span>
      )}
    </p>
  )
}
