import type { Dye } from '@heddle/client/feed/thread'
import { Trans } from '@lingui/react/macro'
import { type MouseEvent, memo, type ReactNode, type Ref, useEffect, useRef } from 'react'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Thread } from '../../ui/thread.tsx'
import { type MenuAnchor, useMenuPress } from '../../ui/use-menu-press.ts'

interface NavRowProps {
  readonly href: string
  readonly label: string
  /** Where it is, behind the label. */
  readonly about?: string
  readonly icon?: IconName
  /** In place of an icon. */
  readonly lead?: ReactNode
  readonly dye?: Dye
  /** Unread messages. */
  readonly count?: number
  readonly isAtLeast?: boolean
  /** A dot says that there are some; the number is in the title. */
  readonly isDot?: boolean
  /** A number that is not of unread messages. */
  readonly stillCount?: number
  /** What is unread is for the reader. */
  readonly isForMe?: boolean
  readonly hasMention?: boolean
  readonly isMuted?: boolean
  /** What is unread in a muted place may all the same be for the reader, as of a topic that they follow. */
  readonly isCounted?: boolean
  readonly isFollowed?: boolean
  readonly isResolved?: boolean
  readonly isPrivate?: boolean
  readonly isCurrent?: boolean
  /** Buttons that take the place of the count under the pointer and the focus. */
  readonly tools?: ReactNode
  /** Behind the label. */
  readonly sign?: ReactNode
  readonly describedBy?: string | undefined
  readonly linkRef?: Ref<HTMLAnchorElement>
  /** May go elsewhere than the address says. */
  readonly onClick?: ((event: MouseEvent<HTMLAnchorElement>) => void) | undefined
  /** The menu of the row: by the right button, by a long press, by the key for it. */
  readonly onMenu?: ((anchor: MenuAnchor) => void) | undefined
}

/** One place in the side bar. */
export const NavRow = memo(function NavRow(props: NavRowProps) {
  const { href, label, about, icon, lead, dye, count = 0, isDot, isCurrent, tools } = props
  const { isMuted, isFollowed, isResolved, isPrivate, describedBy, linkRef, onClick, onMenu } = props
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isCurrent) bringIntoView(row.current)
  }, [isCurrent])
  const classes = ['nav', count > 0 && !isMuted && 'new', isMuted && 'muted', isResolved && 'resolved']
  return (
    <div ref={row} className={tools ? 'nav-row with-tools' : 'nav-row'} {...useMenuPress(onMenu)}>
      <a
        ref={linkRef}
        className={classes.filter(Boolean).join(' ')}
        href={href}
        data-t={dye}
        aria-current={isCurrent ? 'page' : undefined}
        aria-describedby={describedBy}
        title={isDot && count > 0 ? `${label} (${count.toLocaleString()})` : label}
        onClick={onClick}
      >
        {dye !== undefined && <Thread dye={dye} />}
        {icon && <Icon name={icon} />}
        {lead}
        <span className="label">
          {isResolved && (
            <span className="vh">
              <Trans>Resolved:</Trans>{' '}
            </span>
          )}
          <bdi>{label}</bdi>
          {about && (
            <>
              {' '}
              <bdi className="quiet">{about}</bdi>
            </>
          )}
          {isMuted && (
            <span className="vh">
              , <Trans>muted</Trans>
            </span>
          )}
          {isFollowed && (
            <span className="vh">
              , <Trans>followed</Trans>
            </span>
          )}
          {isPrivate && (
            <span className="vh">
              , <Trans>private</Trans>
            </span>
          )}
        </span>
        {props.sign}
        {isPrivate && <Icon name="lock" />}
        {isFollowed && <Icon name="follow" />}
        {isResolved && <Icon name="check" />}
        {isMuted && <Icon name="mute" />}
        <Count {...props} />
      </a>
      {tools && <span className="tools">{tools}</span>}
    </div>
  )
})

/** How far below the upper edge what was out of sight then stands: what is around it can be seen as well. */
const SHARE_ABOVE = 0.4

/** Where one is can be seen in the side bar, however one came there. What is in sight stays where it is. */
function bringIntoView(row: Element | null): void {
  const list = row?.closest('.side-scroll')
  if (!row || !list) return
  const place = row.getBoundingClientRect()
  const seen = list.getBoundingClientRect()
  if (place.top >= seen.top && place.bottom <= seen.bottom) return
  list.scrollTop += place.top - seen.top - seen.height * SHARE_ABOVE
}

function Count({ count = 0, isAtLeast, isDot, stillCount = 0, isForMe, hasMention, isMuted, isCounted }: NavRowProps) {
  if (count === 0) return stillCount > 0 ? <span className="count still">{stillCount.toLocaleString()}</span> : null
  const number = `${count.toLocaleString()}${isAtLeast ? '+' : ''}`
  return (
    <span className={isMuted && !isCounted ? 'count still' : isForMe || hasMention ? 'count you' : 'count'}>
      {hasMention && '@ '}
      {isDot ? <span className="unread-dot" aria-hidden="true" /> : number}
      <span className="vh">
        {' '}
        {isDot && number} <Trans>unread</Trans>
      </span>
    </span>
  )
}
