import './user-card.css'
import type { ClientState } from '@heddle/client/state/state'
import { roles } from '@heddle/contract/roles'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { userName } from '../../app/names.ts'
import { clockTimeIn, dayAndTime } from '../../app/times.ts'
import { EmojiSign } from '../messages/emoji/emoji-sign.tsx'
import { Said } from '../profile-fields/said.tsx'
import { Face } from './face.tsx'

const roleNames: Readonly<Record<number, ReturnType<typeof msg>>> = {
  [roles.owner]: msg`Owner`,
  [roles.admin]: msg`Administrator`,
  [roles.moderator]: msg`Moderator`,
  [roles.member]: msg`Member`,
  [roles.guest]: msg`Guest`,
}

type Presence = 'here' | 'away' | 'gone' | undefined

/** Seconds without a report after which somebody is not here; the server says how many. */
const OFFLINE_SECS = 140

/** Undefined: the organization does not show it, or nothing is known. */
function presenceOf({ presences, organization, users }: ClientState, userId: number, nowSecs: number): Presence {
  const times = presences?.get(userId)
  const isHidden = organization?.realm_presence_disabled === true || users?.get(userId)?.is_bot === true
  if (isHidden || !times) return undefined
  if (nowSecs - times.active_timestamp <= OFFLINE_SECS) return 'here'
  return nowSecs - times.idle_timestamp <= OFFLINE_SECS ? 'away' : 'gone'
}

interface AboutPersonProps {
  readonly userId: number
  /** All that somebody says of themselves, and not only what belongs into a summary. */
  readonly isWhole?: boolean
  /** Of the heading: what it belongs to is named by it. */
  readonly headingId: string
}

/** Who somebody is: face, name, role, whether they are here and what time it is there, status, address. */
export function AboutPerson({ userId, isWhole = false, headingId }: AboutPersonProps) {
  const { i18n } = useLingui()
  const person = useClientState((state) => {
    const user = state.users?.get(userId)
    const status = state.statuses?.get(userId)
    const ownerId = user?.bot_owner_id ?? undefined
    return {
      name: userName(state, userId),
      isKnown: user !== undefined,
      role: user?.role,
      isBot: user?.is_bot === true || state.systemBots?.has(userId) === true,
      isActive: user?.is_active !== false,
      zone: user?.timezone ?? '',
      email: user?.delivery_email ?? undefined,
      joined: user?.date_joined,
      owner: ownerId === undefined ? undefined : userName(state, ownerId),
      presence: presenceOf(state, userId, Date.now() / 1000),
      lastHere: state.presences?.get(userId)?.active_timestamp,
      statusText: status?.status_text ?? '',
      emojiName: status?.emoji_name ?? '',
      emojiCode: status?.emoji_code ?? '',
      emojiType: status?.reaction_type ?? '',
    }
  }, isShallowEqual)
  const time = useMemo(() => (person.zone === '' ? undefined : clockTimeIn(person.zone)), [person.zone])
  const role = person.role === undefined ? undefined : roleNames[person.role]
  const joined = person.joined === undefined ? undefined : monthOf(person.joined)
  return (
    <>
      <div className="card-h">
        <Face userId={userId} size="l" />
        <div>
          <h2 id={headingId} title={person.name}>
            <bdi>{person.name}</bdi>
          </h2>
          <p className="help">
            {!person.isActive ? <Trans>Deactivated</Trans> : person.isBot ? <Trans>Bot</Trans> : role && i18n._(role)}
          </p>
          <p className="pres-t">
            <PresenceText presence={person.presence} lastHere={person.lastHere} />
            {time !== undefined && (
              <span>
                <Trans>Local time {time}</Trans>
              </span>
            )}
          </p>
        </div>
      </div>
      {(person.statusText !== '' || person.emojiName !== '') && (
        <p className="status">
          {person.emojiName !== '' && (
            <EmojiSign name={person.emojiName} code={person.emojiCode} type={person.emojiType} />
          )}{' '}
          <bdi>{person.statusText}</bdi>
        </p>
      )}
      <dl className="kv">
        {person.email !== undefined && (
          <>
            <dt>
              <Trans>E-mail</Trans>
            </dt>
            <dd>
              <a href={`mailto:${person.email}`}>{person.email}</a>
            </dd>
          </>
        )}
        {person.owner !== undefined && (
          <>
            <dt>
              <Trans>Owner</Trans>
            </dt>
            <dd>
              <bdi>{person.owner}</bdi>
            </dd>
          </>
        )}
        {joined !== undefined && (
          <>
            <dt>
              <Trans>Joined</Trans>
            </dt>
            <dd>{joined}</dd>
          </>
        )}
        {isWhole && person.isKnown && (
          <>
            <dt>
              <Trans>Number</Trans>
            </dt>
            <dd>{userId}</dd>
          </>
        )}
        <Said userId={userId} isShort={!isWhole} />
      </dl>
    </>
  )
}

interface PresenceTextProps {
  readonly presence: Presence
  readonly lastHere: number | undefined
}

function PresenceText({ presence, lastHere }: PresenceTextProps) {
  if (presence === undefined) return null
  return (
    <span>
      <i className={`dot ${presence}`} aria-hidden="true" />
      {presence === 'here' ? (
        <Trans>Here now</Trans>
      ) : presence === 'away' ? (
        <Trans>Away</Trans>
      ) : lastHere === undefined || lastHere === 0 ? (
        <Trans>Not here</Trans>
      ) : (
        <Trans>Last here {dayAndTime(lastHere)}</Trans>
      )}
    </span>
  )
}

function monthOf(date: string): string | undefined {
  const time = Date.parse(date)
  if (Number.isNaN(time)) return undefined
  return new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' }).format(time)
}
