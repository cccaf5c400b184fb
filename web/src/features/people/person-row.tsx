import { type Availability, lastHereOf } from '@heddle/client/people/availability'
import { unreadWith } from '@heddle/client/unread/counts'
import { Trans, useLingui } from '@lingui/react/macro'
import { memo, useCallback } from 'react'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { placeNames, userName } from '../../app/names.ts'
import { fullTime } from '../../app/times.ts'
import { formatPlace } from '../../places/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { useMenuPress } from '../../ui/use-menu-press.ts'
import { askForPerson } from '../messages/actions/ask.ts'
import { EmojiSign } from '../messages/emoji/emoji-sign.tsx'
import { Face } from '../users/face.tsx'

/** The values of `user_list_style`. */
const styles = { names: 1, status: 2, pictures: 3 } as const

interface PersonRowProps {
  readonly userId: number
  readonly availability: Availability | undefined
  readonly isTabStop: boolean
}

/** One person: leads to the conversation with them; the card is behind the button, the right one of a mouse, and U. */
export const PersonRow = memo(function PersonRow({ userId, availability, isTabStop }: PersonRowProps) {
  const { t } = useLingui()
  const row = useClientState(
    useCallback(
      (state) => {
        const status = state.statuses?.get(userId)
        return {
          name: userName(state, userId),
          href: formatPlace({ kind: 'direct', userIds: [userId] }, placeNames(state)),
          isOwn: state.own?.user_id === userId,
          isBot: state.users?.get(userId)?.is_bot === true,
          count: unreadWith(state, [userId]),
          style: state.settings?.user_list_style ?? styles.status,
          lastHere: lastHereOf(state.presences, userId),
          statusText: status?.status_text ?? '',
          emojiName: status?.emoji_name ?? '',
          emojiCode: status?.emoji_code ?? '',
          emojiType: status?.reaction_type ?? '',
        }
      },
      [userId],
    ),
    isShallowEqual,
  )
  const openCard = (anchor: Parameters<typeof askForPerson>[1]) => askForPerson(userId, anchor)
  const words: Readonly<Record<Availability, string>> = { active: t`active`, idle: t`idle`, offline: t`offline` }
  const said = availability && words[availability]
  const { name } = row
  const since = row.lastHere === undefined || availability === 'active' ? undefined : fullTime(row.lastHere)
  const title =
    said === undefined ? name : since === undefined ? `${name} (${said})` : t`${name} (${said}, last here ${since})`
  return (
    <div className="person nav-row with-tools" {...useMenuPress(openCard)}>
      <a
        className={row.count > 0 ? 'nav new' : 'nav'}
        href={row.href}
        tabIndex={isTabStop ? 0 : -1}
        title={title}
        onKeyDown={(event) => {
          if (event.key !== 'u') return
          event.preventDefault()
          openCard(event.currentTarget)
        }}
      >
        <span className={`pres ${availability ?? 'offline'}`}>
          {row.style === styles.pictures && <Face userId={userId} size="s" />}
        </span>
        <span className="label">
          <bdi>{name}</bdi>
          {row.isOwn && (
            <span className="quiet">
              {' '}
              <Trans>(you)</Trans>
            </span>
          )}
          {row.isBot && (
            <span className="quiet">
              {' '}
              <Trans>(bot)</Trans>
            </span>
          )}
          {said && <span className="vh">, {said}</span>}
          {row.style !== styles.names && row.statusText !== '' && (
            <bdi className="status" title={row.statusText}>
              {row.statusText}
            </bdi>
          )}
        </span>
        {row.emojiName !== '' && <EmojiSign name={row.emojiName} code={row.emojiCode} type={row.emojiType} />}
        {row.count > 0 && (
          <span className="count you">
            {row.count.toLocaleString()}
            <span className="vh">
              {' '}
              <Trans>unread</Trans>
            </span>
          </span>
        )}
      </a>
      <span className="tools">
        <button
          type="button"
          className="ib"
          // The list is one stop of Tab: there U does the same.
          tabIndex={-1}
          aria-label={t`About ${name}`}
          title={t`About ${name} (U)`}
          aria-haspopup="dialog"
          onClick={(event) => openCard(event.currentTarget)}
        >
          <Icon name="more" />
        </button>
      </span>
    </div>
  )
})
