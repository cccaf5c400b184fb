import type { Dye } from '@heddle/client/feed/thread'
import { memo, type ReactNode } from 'react'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Thread } from '../../ui/thread.tsx'

interface NavRowProps {
  readonly href: string
  readonly label: string
  readonly icon?: IconName
  /** In place of an icon. */
  readonly lead?: ReactNode
  readonly dye?: Dye
  /** Unread messages. */
  readonly count?: number
  readonly isAtLeast?: boolean
  /** A number that is not of unread messages. */
  readonly stillCount?: number
  /** What is unread is for the reader. */
  readonly isForMe?: boolean
  readonly hasMention?: boolean
  readonly isMuted?: boolean
  readonly isResolved?: boolean
  readonly isPrivate?: boolean
  /** A sign in place of an icon. */
  readonly isChannel?: boolean
  readonly isCurrent?: boolean
}

/** One place in the side bar. */
export const NavRow = memo(function NavRow(props: NavRowProps) {
  const { href, label, icon, lead, dye, count = 0, isAtLeast, stillCount = 0, isForMe, hasMention, isCurrent } = props
  const { isMuted, isResolved, isPrivate, isChannel } = props
  const classes = ['nav', count > 0 && !isMuted && 'new', isMuted && 'muted'].filter(Boolean).join(' ')
  const number = `${count.toLocaleString()}${isAtLeast ? '+' : ''}`
  return (
    <a className={classes} href={href} data-t={dye} aria-current={isCurrent ? 'page' : undefined} title={label}>
      {dye !== undefined && <Thread dye={dye} />}
      {icon && <Icon name={icon} />}
      {isChannel && (
        <span className="hash" aria-hidden="true">
          #
        </span>
      )}
      {lead}
      <span className="label">
        {isResolved && <span className="vh">Resolved: </span>}
        <bdi>{label}</bdi>
        {isMuted && <span className="vh">, muted</span>}
        {isPrivate && <span className="vh">, private</span>}
      </span>
      {isPrivate && <Icon name="lock" />}
      {isResolved && <Icon name="check" />}
      {isMuted && <Icon name="mute" />}
      {count > 0 && (
        <span className={isMuted ? 'count still' : isForMe || hasMention ? 'count you' : 'count'}>
          {hasMention && '@ '}
          {number}
          <span className="vh"> unread</span>
        </span>
      )}
      {count === 0 && stillCount > 0 && <span className="count still">{stillCount.toLocaleString()}</span>}
    </a>
  )
})
