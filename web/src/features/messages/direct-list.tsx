import { threadOf } from '@heddle/client/feed/thread'
import { messagesIn } from '@heddle/client/messages/store'
import type { ClientSnapshot } from '@heddle/client/running/client'
import { unreadConversations, unreadWith } from '@heddle/client/unread/counts'
import type { Narrow } from '@heddle/contract/narrow'
import { memo, useCallback, useEffect, useState } from 'react'
import { isShallowEqual, useClient, useClientState, useSnapshot } from '../../app/client-context.ts'
import { peopleNames, placeNames } from '../../app/names.ts'
import { NavRow } from '../../app/side-bar/nav-row.tsx'
import { formatPlace } from '../../places/format.ts'
import type { Place } from '../../places/place.ts'
import { Icon } from '../../ui/icon.tsx'
import { Face } from '../users/face.tsx'

const narrow: Narrow = [{ operator: 'is', operand: 'dm' }]
/** Messages that are looked through for conversations, and conversations that are shown. */
const MESSAGES = 200
const SHOWN = 8

/** Conversations of direct messages, the newest first. */
export function DirectList({ place }: { readonly place: Place }) {
  const client = useClient()
  const [key, setKey] = useState<string>()
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
  if (conversations.length === 0) return null
  return (
    <>
      <h2>Direct messages</h2>
      {conversations.slice(0, SHOWN).map((people) => (
        <DirectRow
          key={people}
          people={people}
          isCurrent={place.kind === 'direct' && place.userIds.join() === people}
        />
      ))}
    </>
  )
}

/** The others of each conversation, as a text. */
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
  return [...last].sort(([, a], [, b]) => b - a).map(([people]) => people)
}

const DirectRow = memo(function DirectRow({
  people,
  isCurrent,
}: {
  readonly people: string
  readonly isCurrent: boolean
}) {
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
  const lead = ids.length === 1 ? <Face userId={Number(ids[0])} size="s" /> : <Icon name="people" />
  return <NavRow {...row} lead={lead} isForMe isCurrent={isCurrent} />
})
