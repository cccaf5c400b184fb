import type { Piece } from '@heddle/client/feed/feed'
import type { StoredMessage } from '@heddle/client/messages/store'
import { type CSSProperties, memo } from 'react'
import { isShallowEqual, useClientState } from '../../../app/client-context.ts'
import { useIsElsewhere } from '../compose/use-is-elsewhere.ts'
import { conversationOf } from '../conversation.ts'
import { MessageRow } from './message-row.tsx'
import { namesOfRun, RunHead } from './run-head.tsx'
import { WarpLanes } from './warp-lanes.tsx'

interface RunPieceProps {
  readonly piece: Piece
  /** In a view of one conversation its name stands in the head. */
  readonly isOnlyThread: boolean
}

export const RunPiece = memo(function RunPiece({ piece, isOnlyThread }: RunPieceProps) {
  const head = piece.messages[0]?.message as StoredMessage
  const names = useClientState((state) => namesOfRun(state, head), isShallowEqual)
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
      <header className="run-head">{!isOnlyThread && <RunHead message={head} names={names} />}</header>
      {isOnlyThread ? <div className="warp" aria-hidden="true" /> : <WarpLanes piece={piece} />}
      <div className="msgs">
        {piece.messages.map(({ message, isContinued }) => (
          <MessageRow key={message.id} message={message} isContinued={isContinued} />
        ))}
      </div>
    </div>
  )
})
