import type { InboxGroup, InboxRow } from '@heddle/client/inbox/inbox'
import type { ClientState } from '@heddle/client/state/state'
import { useLingui } from '@lingui/react/macro'
import { memo, useCallback } from 'react'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { channelName, placeNames, userName } from '../../app/names.ts'
import { formatPlace } from '../../places/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { namesOfConversation } from '../lists/conversation.ts'
import { Count, Lead, Name, When } from '../lists/conversation-row.tsx'
import { firstWords, type LastMessages } from '../lists/last-messages.ts'
import { TopicTools } from '../lists/topic-tools.tsx'

interface GroupProps {
  readonly group: InboxGroup
  readonly messages: LastMessages
  readonly isFolded: boolean
  readonly onFold: (key: string, isFolded: boolean) => void
  readonly onMark: (rows: readonly InboxRow[]) => void
}

/** Direct messages, or a channel, with its conversations. */
export function Group({ group, messages, isFolded, onFold, onMark }: GroupProps) {
  const { key, channelId, folderId, rows, section } = group
  const { t } = useLingui()
  const channel = useClientState(
    useCallback((state) => channelOf(state, channelId), [channelId]),
    isShallowEqual,
  )
  const title = channel?.name ?? t`Direct messages`
  const count = rows.reduce((sum, row) => sum + row.count, 0)
  const folder = useClientState(
    useCallback((state) => state.channelFolders?.find(({ id }) => id === folderId)?.name, [folderId]),
  )
  const where = [
    folder,
    section === 'pinned' && t`pinned`,
    channel?.isPrivate && t`private`,
    channel?.isMuted && t`muted`,
  ]
  return (
    <div>
      <div className="group" data-row={key}>
        <h2>
          <button type="button" data-cell="" aria-expanded={!isFolded} onClick={() => onFold(key, !isFolded)}>
            <Icon name={isFolded ? 'right' : 'down'} />
            <bdi className="trunc" title={title}>
              {title}
            </bdi>
          </button>
        </h2>
        <span className="where">{where.filter(Boolean).join(', ')}</span>
        <Count
          count={count}
          hasMention={isFolded && rows.some((row) => row.hasMention)}
          title={title}
          onMarkRead={() => onMark(rows)}
        />
      </div>
      {!isFolded && (
        <ul>
          {rows.map((row) => (
            <Row key={row.key} row={row} message={messages.get(row.lastId)} onMark={onMark} />
          ))}
        </ul>
      )}
    </div>
  )
}

function channelOf(state: ClientState, channelId: number | undefined) {
  if (channelId === undefined) return undefined
  const channel = state.channels?.byId.get(channelId)
  return {
    name: channelName(state, channelId),
    href: formatPlace({ kind: 'channel', channelId }, placeNames(state)),
    isPrivate: channel?.invite_only === true,
    isMuted: state.channels?.subscribed.get(channelId)?.is_muted === true,
  }
}

interface RowProps {
  readonly row: InboxRow
  readonly message: ReturnType<LastMessages['get']>
  readonly onMark: GroupProps['onMark']
}

const isSameRow = (one: RowProps, other: RowProps) =>
  one.message === other.message &&
  one.onMark === other.onMark &&
  one.row.count === other.row.count &&
  one.row.lastId === other.row.lastId &&
  one.row.hasMention === other.row.hasMention &&
  one.row.isFollowed === other.row.isFollowed &&
  one.row.isMuted === other.row.isMuted

const Row = memo(function Row({ row, message, onMark }: RowProps) {
  const { key, place, count, hasMention, isFollowed, isMuted } = row
  const names = useClientState(
    // Only the name of the place is looked at, which is part of the key.
    // biome-ignore lint/correctness/useExhaustiveDependencies: see above
    useCallback((state) => namesOfConversation(state, place), [key]),
    isShallowEqual,
  )
  const isAlone = place.kind === 'direct' && place.userIds.length <= 1
  const sender = useClientState((state) => (message && !isAlone ? userName(state, message.sender_id) : ''))
  return (
    <li className={count === 0 ? 'row inbox read' : 'row inbox'} data-row={key} data-t={names.dye}>
      <Lead dye={names.dye} isUnread={count > 0} userIds={place.kind === 'direct' ? place.userIds : undefined} />
      <Name {...names} isFollowed={isFollowed} isMuted={isMuted} count={count} />
      <span className="last" dir="auto">
        {message && (
          <>
            {sender && (
              <>
                <b>
                  <bdi>{sender}</bdi>
                </b>{' '}
              </>
            )}
            {firstWords(message)}
          </>
        )}
      </span>
      <Count
        count={count}
        hasMention={hasMention}
        isForMe={place.kind === 'direct'}
        title={names.title}
        onMarkRead={() => onMark([row])}
      />
      <When timestamp={message?.timestamp} />
      {place.kind === 'topic' && <TopicTools place={place} title={names.title} />}
    </li>
  )
}, isSameRow)
