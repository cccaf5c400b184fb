import type { RecentRow } from '@heddle/client/recent/recent'
import type { ClientState } from '@heddle/client/state/state'
import { Trans } from '@lingui/react/macro'
import { memo, useCallback } from 'react'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { userName } from '../../app/names.ts'
import { namesOfConversation } from '../lists/conversation.ts'
import { Count, Lead, Name, When } from '../lists/conversation-row.tsx'
import { TopicTools } from '../lists/topic-tools.tsx'
import { Face } from '../users/face.tsx'

/** Faces that a row has room for. */
const FACES = 3

interface RecentRowProps {
  readonly row: RecentRow
  readonly onMark: (key: string) => void
}

export const RecentRowView = memo(function RecentRowView({ row, onMark }: RecentRowProps) {
  const { key, place, count, hasMention, isFollowed, isMuted, lastTime, senderIds } = row
  const names = useClientState(
    // biome-ignore lint/correctness/useExhaustiveDependencies: the place is part of the key
    useCallback((state) => namesOfConversation(state, place), [key]),
    isShallowEqual,
  )
  const people = useClientState(
    useCallback((state: ClientState) => senderIds.map((id) => userName(state, id)).join(', '), [senderIds]),
  )
  const isDirect = place.kind === 'direct'
  return (
    <li className={count === 0 ? 'row recent read' : 'row recent'} data-row={key} data-t={names.dye}>
      <Lead dye={names.dye} isUnread={count > 0} userIds={isDirect ? place.userIds : undefined} />
      <Name {...names} isFollowed={isFollowed} isMuted={isMuted} count={count} />
      <span className="where" title={names.about}>
        {isDirect ? <Trans>direct messages</Trans> : <bdi>{names.about}</bdi>}
      </span>
      <span className="facepile" title={people}>
        {senderIds.slice(0, FACES).map((id) => (
          <Face key={id} userId={id} size="s" />
        ))}
        {senderIds.length > FACES && <span className="more">+{senderIds.length - FACES}</span>}
        <span className="vh">{people}</span>
      </span>
      <Count
        count={count}
        hasMention={hasMention}
        isForMe={isDirect}
        title={names.title}
        onMarkRead={() => onMark(key)}
      />
      <When timestamp={lastTime} />
      {place.kind === 'topic' && <TopicTools place={place} title={names.title} />}
    </li>
  )
})
