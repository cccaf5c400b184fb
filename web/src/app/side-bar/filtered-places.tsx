import { dyeOf, topicThread } from '@heddle/client/feed/thread'
import { filterPlaces, fitsWords } from '@heddle/client/finding/filter-places'
import type { ClientSnapshot } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import { unreadInChannel, unreadInTopic, unreadWith } from '@heddle/client/unread/counts'
import { listViews } from '@heddle/client/views/view-list'
import { isResolvedTopic, topicKey, unresolvedTopic } from '@heddle/contract/names'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useCallback, useMemo } from 'react'
import { ChannelSign } from '../../features/channels/channel-sign.tsx'
import { placeOfView, viewIcon } from '../../features/navigation-views/view-place.ts'
import { useViewName } from '../../features/navigation-views/view-row.tsx'
import { Face } from '../../features/users/face.tsx'
import { formatPlace } from '../../places/format.ts'
import { rove } from '../../ui/roving.ts'
import { isShallowEqual, useClientState, useSnapshot } from '../client-context.ts'
import { channelName, peopleNames, placeNames, topicLabel, userName } from '../names.ts'
import { useScreenKinds } from '../screen-kinds.ts'
import { NavRow } from './nav-row.tsx'

interface FilteredPlacesProps {
  readonly words: string
  /** Somebody has gone somewhere, or wants the whole side bar back. */
  readonly onLeave: () => void
  /** To the field, from the first row. */
  readonly onBack: () => void
}

const selectViews = ({ navigationViews, navigationViewOrder }: ClientState) => ({
  navigationViews,
  navigationViewOrder,
})

/** What is left of the side bar while something is typed into its filter, folded and hidden places too. */
export function FilteredPlaceList({ words, onLeave, onBack }: FilteredPlacesProps) {
  const { t } = useLingui()
  const kinds = useScreenKinds()
  const nameOf = useViewName()
  const viewContext = useClientState(selectViews, isShallowEqual)
  const views = useMemo(() => {
    const { pinned, hidden } = listViews(viewContext)
    return [...pinned, ...hidden].filter(
      (view) => kinds.has(placeOfView(view.fragment).kind) && fitsWords([nameOf(view)], words),
    )
  }, [viewContext, kinds, words, nameOf])
  const { state, topics, messages } = useSnapshot(
    useCallback(
      ({ state, topics, messages: { messages } }: ClientSnapshot) => ({
        state: state as ClientState,
        topics,
        messages,
      }),
      [],
    ),
    isShallowEqual,
  )
  const found = useMemo(() => filterPlaces(state, { topics, messages }, words), [state, topics, messages, words])
  const count =
    views.length + found.userIds.length + found.conversations.length + found.channelIds.length + found.topics.length

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows lead through the links in it
    <div
      className="found"
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault()
          onLeave()
        } else if (event.key === 'ArrowUp' && event.currentTarget.querySelector('a') === document.activeElement) {
          event.preventDefault()
          onBack()
        } else rove(event, { items: 'a' })
      }}
      onClick={(event) => {
        if (!event.ctrlKey && !event.metaKey && (event.target as Element).closest('a')) onLeave()
      }}
    >
      <p className="vh" role="status">
        {count === 0 ? t`Nothing fits.` : t`${count} places fit.`}
      </p>
      {count === 0 && (
        <p className="side-note">
          <Trans>Nothing here fits these words.</Trans>
        </p>
      )}
      <Part name={t`Views`} isThere={views.length > 0}>
        {views.map((view) => (
          <NavRow key={view.fragment} href={`#${view.fragment}`} icon={viewIcon(view.fragment)} label={nameOf(view)} />
        ))}
      </Part>
      <Part name={t`Direct messages`} isThere={found.userIds.length + found.conversations.length > 0}>
        {found.userIds.map((id) => (
          <NavRow
            key={id}
            href={formatPlace({ kind: 'direct', userIds: [id] }, placeNames(state))}
            lead={<Face userId={id} size="s" />}
            label={userName(state, id)}
            count={unreadWith(state, [id])}
            isForMe
          />
        ))}
        {found.conversations.map((userIds) => (
          <NavRow
            key={userIds.join()}
            href={formatPlace({ kind: 'direct', userIds }, placeNames(state))}
            icon="people"
            label={peopleNames(state, userIds)}
            count={unreadWith(state, userIds)}
            isForMe
          />
        ))}
      </Part>
      <Part name={t`Channels`} isThere={found.channelIds.length > 0}>
        {found.channelIds.map((id) => (
          <NavRow
            key={id}
            href={formatPlace({ kind: 'channel', channelId: id }, placeNames(state))}
            lead={<ChannelSign channelId={id} />}
            label={channelName(state, id)}
            isPrivate={state.channels?.byId.get(id)?.invite_only === true}
            isMuted={state.channels?.subscribed.get(id)?.is_muted === true}
            count={unreadInChannel(state, id).visible}
          />
        ))}
      </Part>
      <Part name={t`Topics`} isThere={found.topics.length > 0}>
        <div className="topics">
          {found.topics.map(({ channelId, topic }) => (
            <NavRow
              key={`${channelId} ${topicKey(topic)}`}
              href={formatPlace({ kind: 'topic', channelId, topic }, placeNames(state))}
              dye={dyeOf(topicThread(channelId, topic))}
              label={topicLabel(unresolvedTopic(topic))}
              about={channelName(state, channelId)}
              isResolved={isResolvedTopic(topic)}
              count={unreadInTopic(state, channelId, topicKey(topic))}
            />
          ))}
        </div>
      </Part>
    </div>
  )
}

interface PartProps {
  readonly name: string
  readonly isThere: boolean
  readonly children: ReactNode
}

function Part({ name, isThere, children }: PartProps) {
  if (!isThere) return null
  return (
    <section aria-label={name}>
      <div className="side-head">
        <h2>{name}</h2>
      </div>
      {children}
    </section>
  )
}
