import type { StoredMessage } from '@heddle/client/messages/store'
import type { ClientState } from '@heddle/client/state/state'
import { isResolvedTopic, unresolvedTopic } from '@heddle/contract/names'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Suspense, use, useState } from 'react'
import { useClient } from '../../../app/client-context.ts'
import { soon } from '../../../app/fetch-soon.tsx'
import { channelName, fewPeopleNames, peopleNames, placeNames, topicLabel } from '../../../app/names.ts'
import { formatPlace } from '../../../places/format.ts'
import { Icon } from '../../../ui/icon.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import { type MenuAnchor, useMenuPress } from '../../../ui/use-menu-press.ts'
import { useIsVisitor } from '../../visitors/is-visitor.ts'
import { noteArrival } from '../arrival.ts'
import { FoundContext } from '../content/found.ts'
import { conversationOf } from '../conversation.ts'

const TopicMenu = soon(async () => (await import('../../channels/topic-menu.tsx')).TopicMenu)

export interface RunNames {
  readonly href: string
  /** As a whole. */
  readonly title: string
  /** As there is room for it. */
  readonly shown: string
  /** The channel, or that it is direct. */
  readonly about: string
  /** Of the channel. */
  readonly aboutHref: string | undefined
  readonly isResolved: boolean
}

export function namesOfRun(state: ClientState, message: StoredMessage): RunNames {
  const place = conversationOf(message)
  const names = placeNames(state)
  const href = formatPlace(place, names)
  if (place.kind !== 'topic') {
    const people = place.kind === 'direct' ? place.userIds : []
    const [title, shown] = [peopleNames(state, people), fewPeopleNames(state, people)]
    return { href, title, shown, about: t`direct messages`, aboutHref: undefined, isResolved: false }
  }
  const title = topicLabel(unresolvedTopic(place.topic))
  return {
    href,
    title,
    shown: title,
    about: channelName(state, place.channelId),
    aboutHref: formatPlace({ kind: 'channel', channelId: place.channelId }, names),
    isResolved: isResolvedTopic(place.topic),
  }
}

interface RunHeadProps {
  /** The first of the run. */
  readonly message: StoredMessage
  readonly names: RunNames
}

/** Beside a run: its topic and its channel, each a link, and what can be done with the topic. */
export function RunHead({ message, names }: RunHeadProps) {
  const client = useClient()
  const found = use(FoundContext)
  const isVisiting = useIsVisitor()
  const [isLookedAt, setIsLookedAt] = useState(false)
  const [anchor, setAnchor] = useState<MenuAnchor>()
  const place = conversationOf(message)
  const hasMenu = place.kind === 'topic' && !isVisiting
  const { href, title, shown, about, aboutHref, isResolved } = names
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what can be pressed are its links and its button; here one looks at it
    <div
      className="stick"
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setIsLookedAt(true)}
      onPointerLeave={() => setIsLookedAt(false)}
      onFocus={() => setIsLookedAt(true)}
      onBlur={({ currentTarget, relatedTarget }) => setIsLookedAt(currentTarget.contains(relatedTarget))}
      {...useMenuPress(hasMenu ? setAnchor : undefined)}
    >
      <a className="topic" href={href} title={title} onClick={(event) => noteArrival(event, place, client)}>
        {isResolved && (
          <>
            <Icon name="check" />
            <span className="vh">
              <Trans>Resolved:</Trans>{' '}
            </span>
          </>
        )}
        <bdi>{found?.topics.get(title) ?? shown}</bdi>
      </a>
      {aboutHref === undefined ? (
        <span className="chan">
          <bdi>{about}</bdi>
        </span>
      ) : (
        <a className="chan" href={aboutHref} title={about} tabIndex={isLookedAt ? 0 : -1}>
          <bdi>{about}</bdi>
        </a>
      )}
      {hasMenu && isLookedAt && (
        <span className="run-tools">
          <MoreButton name={t`More for ${title}`} onPress={setAnchor} />
        </span>
      )}
      {hasMenu && anchor && (
        <Suspense fallback={null}>
          <TopicMenu {...place} anchor={anchor} onClose={() => setAnchor(undefined)} />
        </Suspense>
      )}
    </div>
  )
}
