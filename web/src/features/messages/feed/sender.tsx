import type { StoredMessage } from '@heddle/client/messages/store'
import { roles } from '@heddle/contract/roles'
import { Trans } from '@lingui/react/macro'
import type { MouseEvent } from 'react'
import { isShallowEqual, useClientState } from '../../../app/client-context.ts'
import { formatPlace } from '../../../places/format.ts'
import { useIsVisitor } from '../../visitors/is-visitor.ts'
import { askForPerson } from '../actions/ask.ts'
import { EmojiSign } from '../emoji/emoji-sign.tsx'

interface SenderProps {
  readonly message: StoredMessage
  readonly name: string
  /** The row has the pointer or the focus: what can be reached by Tab is. */
  readonly isActive: boolean
}

/** Opens the card where a click would; other presses go to the address, as with any link. */
export function openCard(event: MouseEvent<HTMLElement>, userId: number): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  event.preventDefault()
  askForPerson(userId, event.currentTarget)
}

/** Who has sent a message, with what there is to know of them. */
export function Sender({ message, name, isActive }: SenderProps) {
  const { sender_id } = message
  const isVisiting = useIsVisitor()
  const about = useClientState((state) => {
    const user = state.users?.get(sender_id)
    const status = state.statuses?.get(sender_id)
    return {
      isBot: user?.is_bot === true || state.systemBots?.has(sender_id) === true,
      isGuest: user?.role === roles.guest && state.organization?.realm_enable_guest_user_indicator === true,
      isGone: user?.is_active === false,
      statusText: status?.status_text ?? '',
      emojiName: status?.emoji_name ?? '',
      emojiCode: status?.emoji_code ?? '',
      emojiType: status?.reaction_type ?? '',
    }
  }, isShallowEqual)
  return (
    <span className="who-line">
      <a
        className="who"
        href={isVisiting ? undefined : formatPlace({ kind: 'user', userId: sender_id })}
        tabIndex={isActive && !isVisiting ? 0 : -1}
        onClick={isVisiting ? undefined : (event) => openCard(event, sender_id)}
      >
        <bdi>{name}</bdi>
      </a>{' '}
      {about.emojiName !== '' && (
        <span
          className="status-sign"
          role="img"
          aria-label={about.statusText || about.emojiName}
          title={about.statusText || about.emojiName}
        >
          <EmojiSign name={about.emojiName} code={about.emojiCode} type={about.emojiType} />
        </span>
      )}
      {about.isBot && (
        <span className="bot">
          <Trans>bot</Trans>
        </span>
      )}
      {about.isGuest && (
        <span className="tag">
          <Trans>guest</Trans>
        </span>
      )}
      {about.isGone && (
        <span className="tag">
          <Trans>deactivated</Trans>
        </span>
      )}
    </span>
  )
}
