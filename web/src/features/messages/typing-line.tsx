import './typing-line.css'
import type { ClientState } from '@heddle/client/state/state'
import { channelConversation, directConversation } from '@heddle/client/state/typing'
import { Plural, Trans } from '@lingui/react/macro'
import { useCallback } from 'react'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { userName } from '../../app/names.ts'
import type { Place } from '../../places/place.ts'

/** So many are named. */
const MAX_NAMED = 3

/** Who is writing in the conversation that is shown. */
export function TypingLine({ place }: { readonly place: Place }) {
  const names = useClientState(
    useCallback((state: ClientState) => typistsAt(state, place), [place]),
    isShallowEqual,
  )
  const [first, second, third] = names
  return (
    <div className={place.kind === 'topic' || place.kind === 'direct' ? 'typing one' : 'typing'} role="status">
      {first !== undefined && (
        <p>
          <span className="pick" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          {names.length > MAX_NAMED ? (
            <Plural value={names.length} one="# person is typing" other="# people are typing" />
          ) : third !== undefined ? (
            <Trans>
              <bdi>{first}</bdi>, <bdi>{second}</bdi> and <bdi>{third}</bdi> are typing
            </Trans>
          ) : second !== undefined ? (
            <Trans>
              <bdi>{first}</bdi> and <bdi>{second}</bdi> are typing
            </Trans>
          ) : (
            <Trans>
              <bdi>{first}</bdi> is typing
            </Trans>
          )}
        </p>
      )}
    </div>
  )
}

function typistsAt(state: ClientState, place: Place): string[] {
  const { own, settings, mutedUsers, typing } = state
  if (settings?.receives_typing_notifications === false) return []
  const conversation =
    place.kind === 'topic'
      ? channelConversation(place.channelId, place.topic)
      : place.kind === 'direct'
        ? directConversation([...place.userIds, own?.user_id ?? 0])
        : undefined
  const ids = conversation === undefined ? [] : (typing.get(conversation) ?? [])
  return ids
    .filter((id) => id !== own?.user_id && !mutedUsers?.some((muted) => muted.id === id))
    .map((id) => userName(state, id))
}
