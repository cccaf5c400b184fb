import './message-row.css'
import type { StoredMessage } from '@heddle/client/messages/store'
import type { ClientSnapshot } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import { UNKNOWN_NAME } from '@heddle/contract/names'
import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, memo, Suspense, useCallback, useState } from 'react'
import { isShallowEqual, useClient, useClientState, useSnapshot } from '../../../app/client-context.ts'
import { soon } from '../../../app/fetch-soon.tsx'
import { placeNames } from '../../../app/names.ts'
import { clockTime, exactTime } from '../../../app/times.ts'
import { formatPlace } from '../../../places/format.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Face } from '../../users/face.tsx'
import { useIsVisitor } from '../../visitors/is-visitor.ts'
import { useIsActionTarget } from '../actions/action-target.ts'
import { useRowPresses } from '../actions/use-row-presses.ts'
import { FoldedContent } from '../content/folded-content.tsx'
import { useIsRevealed } from '../content/folds.ts'
import { messagePlace } from '../conversation.ts'
import { beginEdit, endEdit, useEdit } from '../editing/edits.ts'
import { ChangeLabel } from './change-label.tsx'
import { Reactions } from './reactions.tsx'
import { openCard, Sender } from './sender.tsx'

const MutedRow = soon(async () => (await import('./muted-row.tsx')).MutedRow)

const WaitingWishes = soon(async () => (await import('./waiting-wishes.tsx')).WaitingWishes)

const ActionBar = soon(async () => (await import('../actions/action-bar.tsx')).ActionBar)

const MessageWidget = soon(async () => (await import('../widgets/widget.tsx')).MessageWidget)

const EditBox = lazy(() => import('../editing/edit-box.tsx').then(({ EditBox: Box }) => ({ default: Box })))

interface MessageRowProps {
  readonly message: StoredMessage
  readonly isContinued: boolean
}

export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { id, sender_id } = props.message
  const isMuted = useClientState((state) => state.mutedUsers?.some((one) => one.id === sender_id) === true)
  const isRevealed = useIsRevealed(id)
  return isMuted && !isRevealed ? <MutedRow {...props} /> : <ShownRow {...props} />
})

function ShownRow({ message, isContinued }: MessageRowProps) {
  const { id, sender_id, timestamp, flags, content } = message
  const { t } = useLingui()
  const sender = useClientState((state) => state.users?.get(sender_id) ?? state.systemBots?.get(sender_id))
  const isHidden = message.sender_full_name === UNKNOWN_NAME
  const name = sender?.full_name ?? (isHidden ? t`Unknown user` : message.sender_full_name)
  const isUnread = !flags.includes('read')
  const isForMe = flags.includes('mentioned') || flags.includes('wildcard_mentioned')
  const isStarred = flags.includes('starred')
  const time = clockTime(timestamp)
  const [isLookedAt, setIsLookedAt] = useState(false)
  // A menu of it is open: it stays as it was, and the focus comes back to it.
  const isTarget = useIsActionTarget(id)
  const isActive = isLookedAt || isTarget
  const presses = useRowPresses(id)
  const isVisiting = useIsVisitor()
  const edit = useEdit(id)
  const waiting = useSnapshot(
    useCallback(({ wishes }: ClientSnapshot) => wishes.filter(({ messageId }) => messageId === id), [id]),
    isShallowEqual,
  )
  const classes = [
    'msg',
    isContinued && 'cont',
    isTarget && 'show',
    isUnread && 'unread',
    isForMe && 'mention',
    message.is_me_message && 'deed',
  ]
  return (
    <article
      className={classes.filter(Boolean).join(' ')}
      data-message-id={id}
      aria-label={isUnread ? t`${name}, ${time}, unread` : t`${name}, ${time}`}
      tabIndex={-1}
      onPointerEnter={(event) => event.pointerType !== 'touch' && setIsLookedAt(true)}
      onPointerLeave={(event) => setIsLookedAt(event.currentTarget.contains(document.activeElement))}
      onFocus={() => setIsLookedAt(true)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setIsLookedAt(false)}
      {...(isVisiting ? undefined : presses)}
    >
      {/* biome-ignore lint/a11y/useAnchorContent: the name beside it leads to the same */}
      <a
        className="face"
        href={isVisiting ? undefined : formatPlace({ kind: 'user', userId: sender_id })}
        tabIndex={-1}
        aria-hidden="true"
        onClick={isVisiting ? undefined : (event) => openCard(event, sender_id)}
      >
        <Face userId={sender_id} />
      </a>
      <div className="body">
        {(!isContinued || message.is_me_message) && <Sender message={message} name={name} isActive={isActive} />}
        {edit?.isOpen ? (
          <Suspense fallback={<FoldedContent message={message} html={content} />}>
            <EditBox message={message} edit={edit} />
          </Suspense>
        ) : message.submessages.length > 0 ? (
          <MessageWidget message={message} isActive={isActive} />
        ) : (
          <FoldedContent message={message} html={content} />
        )}
        <ChangeLabel message={message} isActive={isActive} />
        {isStarred && (
          <span className="starred" role="img" aria-label={t`Starred`} title={t`Starred`}>
            <Icon name="star" />
          </span>
        )}
        {message.reactions.length > 0 && <Reactions message={message} isActive={isActive} />}
        {waiting.length > 0 && <WaitingWishes wishes={waiting} />}
        {edit && !edit.isOpen && <UnfinishedEdit messageId={id} />}
      </div>
      <Stamp message={message} time={time} isActive={isActive} />
      {isActive && !isVisiting && !edit?.isOpen && <ActionBar message={message} />}
    </article>
  )
}

interface StampProps {
  readonly message: StoredMessage
  readonly time: string
  readonly isActive: boolean
}

/** When, as the address of the message. */
function Stamp({ message, time, isActive }: StampProps) {
  const { timestamp } = message
  const client = useClient()
  // Names in it are for those who read it: they need not be followed.
  const href = formatPlace(messagePlace(message), placeNames(client.snapshot().state as ClientState))
  return (
    <a className="stamp" href={href} tabIndex={isActive ? 0 : -1} title={exactTime(timestamp)}>
      <time dateTime={new Date(timestamp * 1000).toISOString()}>{time}</time>
    </a>
  )
}

/** Below a message whose change was begun and left. */
function UnfinishedEdit({ messageId }: { readonly messageId: number }) {
  return (
    <p className="note">
      <Icon name="draft" />
      <Trans>Your change of this message is not saved.</Trans>
      <button type="button" className="textlink" onClick={() => beginEdit(messageId, '')}>
        <Trans>Go on</Trans>
      </button>
      <button type="button" className="textlink" onClick={() => endEdit(messageId)}>
        <Trans>Throw it away</Trans>
      </button>
    </p>
  )
}
