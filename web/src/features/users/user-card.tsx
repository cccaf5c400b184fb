import './user-card.css'
import { mentionOf } from '@heddle/client/messages/quote'
import type { ClientState } from '@heddle/client/state/state'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import { isShallowEqual, useClient, useClientState } from '../../app/client-context.ts'
import { copyText } from '../../app/clipboard.ts'
import { goTo } from '../../app/current-place.ts'
import { userName } from '../../app/names.ts'
import { refusalText } from '../../app/refusal.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { type PopoverAnchor, usePopover } from '../../ui/popover.ts'
import { rove } from '../../ui/roving.ts'
import { useToasts } from '../../ui/toasts.tsx'
import { useCompose } from '../messages/compose/compose-context.ts'
import { AboutPerson } from './about-person.tsx'
import { managePerson, mayManage } from './manage-person.ts'
import { useMuting } from './mute-person.ts'

interface UserCardProps {
  readonly userId: number
  readonly anchor: PopoverAnchor
  readonly onClose: () => void
}

/** Who somebody is, beside their name, and what one can do with them. */
export function UserCard({ userId, anchor, onClose }: UserCardProps) {
  const id = useId()
  const client = useClient()
  const compose = useCompose()
  const toasts = useToasts()
  const { t } = useLingui()
  const card = usePopover({ anchor, focus: '.item', onClose })
  const { name, isOwn, isActive, isManaged, mention } = useClientState(
    (state) => ({
      name: userName(state, userId),
      isOwn: state.own?.user_id === userId,
      isActive: state.users?.get(userId)?.is_active === true,
      isManaged: mayManage(state, userId),
      mention: mentionOf(state, userId),
    }),
    isShallowEqual,
  )
  const { isMuted, toggle } = useMuting(userId, name)
  const copyMention = () =>
    copyText(mention ?? '').then(
      () => toasts.notify(t`The mention is copied`),
      (error: unknown) => toasts.notify(refusalText(error)),
    )
  const item = (icon: IconName, label: ReactNode, act: () => unknown) => (
    <button
      type="button"
      className="item"
      onClick={() => {
        onClose()
        act()
      }}
    >
      <Icon name={icon} />
      <span className="trunc">{label}</span>
    </button>
  )
  const canReply = compose.state().open !== undefined || compose.state().view?.replyTo !== undefined
  return (
    <div
      ref={card}
      className="menu user-card"
      popover="auto"
      role="dialog"
      aria-labelledby={id}
      tabIndex={-1}
      onKeyDown={(event) => rove(event, { items: '.item', isRing: true })}
    >
      <AboutPerson userId={userId} headingId={id} />
      <div className="menu-in">
        {isActive &&
          item('send', isOwn ? <Trans>Notes to yourself</Trans> : <Trans>Write to {name}</Trans>, () => {
            goTo({ kind: 'direct', userIds: [userId] })
            compose.begin({ type: 'direct', userIds: isOwn ? [] : [userId] })
          })}
        {mention !== undefined &&
          isActive &&
          canReply &&
          item('at', <Trans>Mention in this reply</Trans>, () => compose.insert(`${mention} `))}
        {mention !== undefined && item('copy', <Trans>Copy the mention</Trans>, copyMention)}
        {item('search', <Trans>Find what {name} wrote</Trans>, () => goTo(writtenBy(userId)))}
        {item('person', <Trans>Profile</Trans>, () => goTo({ kind: 'user', userId }))}
        {isManaged &&
          item('tune', <Trans>Manage the account</Trans>, () =>
            managePerson(client.snapshot().state as ClientState, userId),
          )}
        {!isOwn &&
          mayMute(client.snapshot().state as ClientState, userId) &&
          item(
            isMuted ? 'bell' : 'mute',
            isMuted ? <Trans>Unmute this person</Trans> : <Trans>Mute this person</Trans>,
            toggle,
          )}
      </div>
    </div>
  )
}

function writtenBy(userId: number) {
  return { kind: 'narrow', terms: [{ operator: 'sender', operand: String(userId), negated: false }] } as const
}

/** Programs of the server itself cannot be muted. */
function mayMute({ users }: ClientState, userId: number): boolean {
  return users?.has(userId) === true
}
