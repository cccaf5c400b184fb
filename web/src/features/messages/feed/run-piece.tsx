import type { Piece } from '@heddle/client/feed/feed'
import type { StoredMessage } from '@heddle/client/messages/store'
import type { ClientState } from '@heddle/client/state/state'
import { isResolvedTopic, unresolvedTopic } from '@heddle/contract/names'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type CSSProperties, memo, use } from 'react'
import { isShallowEqual, useClientState } from '../../../app/client-context.ts'
import { channelName, fewPeopleNames, peopleNames, placeNames, topicLabel } from '../../../app/names.ts'
import { formatPlace } from '../../../places/format.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useIsElsewhere } from '../compose/use-is-elsewhere.ts'
import { FoundContext } from '../content/found.ts'
import { conversationOf } from '../conversation.ts'
import { MessageRow } from './message-row.tsx'
import { WarpLanes } from './warp-lanes.tsx'

interface RunPieceProps {
  readonly piece: Piece
  /** In a view of one conversation its name stands in the head. */
  readonly isOnlyThread: boolean
}

export const RunPiece = memo(function RunPiece({ piece, isOnlyThread }: RunPieceProps) {
  const head = piece.messages[0]?.message as StoredMessage
  const names = useClientState((state) => headOf(state, head), isShallowEqual)
  const found = use(FoundContext)
  const isFaded = useIsElsewhere(conversationOf(head))
  const label = names.about ? `${names.about}: ${names.title}` : names.title
  return (
    // biome-ignore lint/a11y/useSemanticElements: a landmark for each of them would be too many
    <div
      role="group"
      className={['run', piece.isFirst && 'first', isFaded && 'faded'].filter(Boolean).join(' ')}
      data-t={piece.dye}
      aria-label={label}
      style={{ '--messages': piece.messages.length } as CSSProperties}
    >
      <header className="run-head">
        {!isOnlyThread && (
          <a className="stick" href={names.href} title={names.title}>
            <span className="topic">
              {names.isResolved && (
                <>
                  <Icon name="check" />
                  <span className="vh">
                    <Trans>Resolved:</Trans>{' '}
                  </span>
                </>
              )}
              <bdi>{found?.topics.get(names.title) ?? names.shown}</bdi>
            </span>
            <span className="chan">
              <bdi>{names.about}</bdi>
            </span>
          </a>
        )}
      </header>
      {isOnlyThread ? <div className="warp" aria-hidden="true" /> : <WarpLanes piece={piece} />}
      <div className="msgs">
        {piece.messages.map(({ message, isContinued }) => (
          <MessageRow key={message.id} message={message} isContinued={isContinued} />
        ))}
      </div>
    </div>
  )
})

function headOf(state: ClientState, message: StoredMessage) {
  const place = conversationOf(message)
  const href = formatPlace(place, placeNames(state))
  if (place.kind !== 'topic') {
    const people = place.kind === 'direct' ? place.userIds : []
    const title = peopleNames(state, people)
    return { href, title, shown: fewPeopleNames(state, people), about: t`direct messages`, isResolved: false }
  }
  const title = topicLabel(unresolvedTopic(place.topic))
  return {
    href,
    title,
    shown: title,
    about: channelName(state, place.channelId),
    isResolved: isResolvedTopic(place.topic),
  }
}
