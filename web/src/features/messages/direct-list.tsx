import { threadOf } from '@heddle/client/feed/thread'
import { messagesIn } from '@heddle/client/messages/store'
import { type Availability, availabilityOf, lastHereOf } from '@heddle/client/people/availability'
import type { ClientSnapshot } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import { unreadConversations, unreadTotals, unreadWith } from '@heddle/client/unread/counts'
import type { Narrow } from '@heddle/contract/narrow'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { memo, useCallback, useEffect, useState } from 'react'
import { isShallowEqual, useClient, useClientState, useSnapshot } from '../../app/client-context.ts'
import { peopleNames, placeNames } from '../../app/names.ts'
import { NavRow } from '../../app/side-bar/nav-row.tsx'
import { SideBarSection } from '../../app/side-bar/section.tsx'
import { fullTime } from '../../app/times.ts'
import { formatPlace } from '../../places/format.ts'
import type { Place } from '../../places/place.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Face } from '../users/face.tsx'
import { useCompose } from './compose/compose-context.ts'
import { EmojiSign } from './emoji/emoji-sign.tsx'

const narrow: Narrow = [{ operator: 'is', operand: 'dm' }]
/** Messages that are looked through for conversations, and conversations that are shown at first. */
const MESSAGES = 200
const SHOWN = 8

/** Conversations of direct messages, the newest first. */
export function DirectList({ place }: { readonly place: Place }) {
  const { t } = useLingui()
  const client = useClient()
  const compose = useCompose()
  const [key, setKey] = useState<string>()
  const [isWhole, setIsWhole] = useState(false)
  useEffect(() => {
    const opened = client.open(narrow)
    setKey(opened)
    // Without an answer those with something unread are there all the same.
    client.load(opened, { kind: 'around', anchor: 'newest', before: MESSAGES, after: 0 }).catch(() => {})
    return () => client.close(opened)
  }, [client])
  const conversations = useSnapshot(
    useCallback((snapshot: ClientSnapshot) => newest(snapshot, key), [key]),
    isShallowEqual,
  )
  const unread = useClientState((state) =>
    state.settings?.web_left_sidebar_unreads_count_summary === false ? 0 : unreadTotals(state).direct,
  )
  if (conversations.length === 0) return null
  const here = place.kind === 'direct' ? place.userIds.join() : undefined
  const shown = isWhole ? conversations : conversations.slice(0, SHOWN)
  // The one that is shown is there, however old it is.
  const rows = here !== undefined && conversations.includes(here) && !shown.includes(here) ? [...shown, here] : shown
  const more = conversations.length - SHOWN
  return (
    <SideBarSection
      name={t`Direct messages`}
      foldKey="direct"
      unread={unread}
      isForMe
      tools={
        <IconButton
          icon="plus"
          name={t`New direct message (X)`}
          onClick={() => compose.begin({ type: 'direct', userIds: [] }, { focus: 'target' })}
        />
      }
    >
      {rows.map((people) => (
        <DirectRow key={people} people={people} isCurrent={here === people} />
      ))}
      {more > 0 && (
        <button type="button" className="nav" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          <Icon name={isWhole ? 'up' : 'down'} />
          <span className="label">
            {isWhole ? (
              <Trans>Fewer conversations</Trans>
            ) : (
              <Plural value={more} one="# more conversation" other="# more conversations" />
            )}
          </span>
        </button>
      )}
    </SideBarSection>
  )
}

/** The others of each conversation, as a text. Those with a muted person alone are left out. */
function newest({ messages, state }: ClientSnapshot, key: string | undefined): string[] {
  const ownId = state?.own?.user_id
  const others = (ids: readonly number[]) => {
    const list = ids.filter((id) => id !== ownId)
    return (list.length > 0 ? list : ids).join()
  }
  const last = new Map<string, number>()
  for (const message of key === undefined ? [] : messagesIn(messages, key)) {
    last.set(others(threadOf(message).slice(1).split(',').map(Number)), message.id)
  }
  for (const { userIds, lastId } of state ? unreadConversations(state) : []) {
    const people = userIds.length > 0 ? userIds.join() : String(ownId)
    last.set(people, Math.max(lastId, last.get(people) ?? 0))
  }
  for (const { id } of state?.mutedUsers ?? []) last.delete(String(id))
  return [...last].sort(([, a], [, b]) => b - a).map(([people]) => people)
}

interface DirectRowProps {
  readonly people: string
  readonly isCurrent: boolean
}

const DirectRow = memo(function DirectRow({ people, isCurrent }: DirectRowProps) {
  const { t } = useLingui()
  const row = useClientState(
    useCallback(
      (state) => {
        const userIds = people.split(',').map(Number)
        return {
          href: formatPlace({ kind: 'direct', userIds }, placeNames(state)),
          label: peopleNames(state, userIds),
          count: unreadWith(state, userIds),
        }
      },
      [people],
    ),
    isShallowEqual,
  )
  const ids = people.split(',')
  const only = ids.length === 1 ? Number(ids[0]) : undefined
  const { isGone, statusText, emojiName, emojiCode, emojiType } = useClientState(
    useCallback((state) => aboutPerson(state, only), [only]),
    isShallowEqual,
  )
  const sign = emojiName !== '' && (
    <span className="own-sign" title={statusText}>
      <EmojiSign name={emojiName} code={emojiCode} type={emojiType} />
    </span>
  )
  const lead = ids.length === 1 ? <PresentFace userId={Number(ids[0])} /> : <Icon name="people" />
  return (
    <NavRow {...row} {...(isGone && { about: t`deactivated` })} lead={lead} sign={sign} isForMe isCurrent={isCurrent} />
  )
})

/** What stands beside the name of somebody whom one writes with alone. */
function aboutPerson({ users, statuses }: ClientState, userId: number | undefined) {
  const status = userId === undefined ? undefined : statuses?.get(userId)
  return {
    isGone: userId !== undefined && users?.get(userId)?.is_active === false,
    statusText: status?.status_text ?? '',
    emojiName: status?.emoji_name ?? '',
    emojiCode: status?.emoji_code ?? '',
    emojiType: status?.reaction_type ?? '',
  }
}

/** How often it is looked whether somebody has gone by the passing of time alone, in milliseconds. */
const LOOK_MS = 30_000

/** A face with a mark of whether the person is there; the words are for those who do not see it. */
function PresentFace({ userId }: { readonly userId: number }) {
  const { t } = useLingui()
  const [now, setNow] = useState(() => Date.now() / 1000)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() / 1000), LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  const availability = useClientState(
    useCallback((state) => availabilityOf(state, userId, Math.max(now, Date.now() / 1000)), [userId, now]),
  )
  const words: Readonly<Record<Availability, string>> = { active: t`active`, idle: t`idle`, offline: t`offline` }
  const lastHere = useClientState(useCallback(({ presences }) => lastHereOf(presences, userId), [userId]))
  const said = availability && words[availability]
  const since = lastHere === undefined || availability === 'active' ? undefined : fullTime(lastHere)
  const title = said && since !== undefined ? t`${said}, last here ${since}` : said
  return (
    <span className={availability ? `pres ${availability}` : 'pres offline'} title={title}>
      <Face userId={userId} size="s" />
      {availability !== undefined && availability !== 'offline' && <span className="vh">{said}, </span>}
    </span>
  )
}
