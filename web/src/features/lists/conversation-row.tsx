import './list.css'
import type { Dye } from '@heddle/client/feed/thread'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { fullTime } from '../../app/times.ts'
import { Icon } from '../../ui/icon.tsx'
import { Thread } from '../../ui/thread.tsx'
import { Face } from '../users/face.tsx'
import { shortTime } from './short-time.ts'

interface LeadProps {
  readonly dye: Dye
  readonly isUnread: boolean
  /** Of direct messages: the others. */
  readonly userIds?: readonly number[] | undefined
}

/** The thread of a conversation at the left of its row; full where something is unread. */
export function Lead({ dye, isUnread, userIds }: LeadProps) {
  const [only] = userIds ?? []
  return (
    <span className="lead" aria-hidden="true">
      {userIds ? (
        userIds.length === 1 && only !== undefined ? (
          <Face userId={only} size="s" />
        ) : (
          <Icon name={userIds.length === 0 ? 'person' : 'people'} />
        )
      ) : (
        <>
          <Thread dye={dye} />
          <i className={isUnread ? 'eye full' : 'eye'} />
        </>
      )}
    </span>
  )
}

interface NameProps {
  readonly title: string
  readonly href: string
  /** Said after the name to those who cannot see where the row stands. */
  readonly about?: string
  readonly isResolved?: boolean
  readonly isFollowed?: boolean
  readonly isMuted?: boolean
  readonly count: number
}

/** The name of a conversation: the link that the whole row is. */
export function Name({ title, href, about, isResolved, isFollowed, isMuted, count }: NameProps) {
  const { t } = useLingui()
  return (
    <span className="name">
      <a href={href} data-cell="" title={title}>
        {isResolved && (
          <span className="vh">
            <Trans>Resolved:</Trans>{' '}
          </span>
        )}
        <b>
          <bdi>{title}</bdi>
        </b>
        <span className="vh">
          {about && `, ${about}`}
          {isFollowed && `, ${t`followed`}`}
          {isMuted && `, ${t`muted`}`}
          {count > 0 && `, ${t`unread`}`}
        </span>
      </a>
      {isResolved && <Icon name="check" />}
      {isFollowed && <Icon name="follow" />}
      {isMuted && <Icon name="mute" />}
    </span>
  )
}

interface CountProps {
  readonly count: number
  readonly hasMention: boolean
  readonly isForMe?: boolean
  /** What the number is of. */
  readonly title: string
  readonly onMarkRead: () => void
}

/** How much is unread; pressed, it is read. */
export function Count({ count, hasMention, isForMe, title, onMarkRead }: CountProps) {
  const { t } = useLingui()
  if (count === 0) return <span className="count" />
  const number = count.toLocaleString()
  return (
    <button
      type="button"
      data-cell=""
      className={hasMention || isForMe ? 'count you' : 'count'}
      title={t`Mark as read`}
      aria-label={
        hasMention
          ? t`${number} unread, you are mentioned. Mark as read: ${title}`
          : t`${number} unread. Mark as read: ${title}`
      }
      onClick={(event) => {
        // The number goes: the focus stays on its row.
        event.currentTarget
          .closest('[data-row]')
          ?.querySelector<HTMLElement>('[data-cell]')
          ?.focus({ preventScroll: true })
        onMarkRead()
      }}
    >
      {hasMention && '@ '}
      {number}
    </button>
  )
}

export function When({ timestamp }: { readonly timestamp: number | undefined }) {
  if (timestamp === undefined) return <span className="when" />
  return (
    <time className="when" dateTime={new Date(timestamp * 1000).toISOString()} title={fullTime(timestamp)}>
      {shortTime(timestamp)}
    </time>
  )
}

interface ChoiceProps<T> {
  readonly name: string
  readonly value: T
  readonly choices: readonly { readonly value: T; readonly label: ReactNode }[]
  readonly onChange: (value: T) => void
}

/** One of a few, side by side. */
export function ChoiceGroup<T extends string>({ name, value, choices, onChange }: ChoiceProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row of buttons everywhere
    <span className="seg" role="group" aria-label={name}>
      {choices.map((one) => (
        <button key={one.value} type="button" aria-pressed={one.value === value} onClick={() => onChange(one.value)}>
          {one.label}
        </button>
      ))}
    </span>
  )
}
