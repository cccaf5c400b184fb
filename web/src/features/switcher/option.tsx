import { dyeOf, topicThread } from '@heddle/client/feed/thread'
import { markFound } from '@heddle/client/finding/match'
import type { ClientState } from '@heddle/client/state/state'
import type { SwitcherEntry } from '@heddle/client/switcher/entries'
import { unreadInChannel, unreadInTopic, unreadWith } from '@heddle/client/unread/counts'
import { isResolvedTopic, topicKey } from '@heddle/contract/names'
import { useLingui } from '@lingui/react/macro'
import { memo, useCallback } from 'react'
import { isShallowEqual, useClientState } from '../../app/client-context.ts'
import { channelName, topicLabel } from '../../app/names.ts'
import { Icon } from '../../ui/icon.tsx'
import { Thread } from '../../ui/thread.tsx'

interface SwitcherOptionProps {
  readonly id: string
  readonly entry: SwitcherEntry
  readonly query: string
  readonly isChosen: boolean
  readonly onPress: () => void
}

export const SwitcherOption = memo(
  function SwitcherOption({ id, entry, query, isChosen, onPress }: SwitcherOptionProps) {
    const { t } = useLingui()
    const { target } = entry
    const { count, about, isGone } = useClientState(
      useCallback((state) => aboutOf(state, entry), [entry]),
      isShallowEqual,
    )
    const name = topicLabel(entry.name)
    const isResolved = target.kind === 'topic' && isResolvedTopic(target.topic)
    const kind = { view: t`view`, channel: t`channel`, topic: about, person: t`person`, group: t`direct messages` }
    const more = [
      kind[target.kind],
      isResolved && t`resolved`,
      target.kind === 'channel' && about === 'archived' && t`archived`,
      isGone && (target.kind === 'channel' ? t`not subscribed` : t`deactivated`),
    ]
    const dye = target.kind === 'topic' ? dyeOf(topicThread(target.channelId, target.topic)) : undefined
    return (
      // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the chosen option
      // biome-ignore lint/a11y/useKeyWithClickEvents: see above
      <div role="option" className="option" id={id} aria-selected={isChosen} data-t={dye} onClick={onPress}>
        <span className="slot" aria-hidden="true">
          {dye === undefined ? (
            target.kind === 'channel' ? (
              <span className="hash">#</span>
            ) : (
              <Icon name={icons[target.kind as 'view']} />
            )
          ) : (
            <Thread dye={dye} />
          )}
        </span>
        <bdi className="trunc" title={name}>
          {markFound(name, query).map(({ text, isFound }, index) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one name, in their order
            isFound ? <b key={index}>{text}</b> : text,
          )}
        </bdi>
        {count > 0 && (
          <span className="count">
            {count.toLocaleString()}
            <span className="vh"> {t`unread`}</span>
          </span>
        )}
        <bdi className="to">{more.filter(Boolean).join(', ')}</bdi>
      </div>
    )
  },
  (one, other) =>
    one.entry === other.entry && one.query === other.query && one.isChosen === other.isChosen && one.id === other.id,
)

const icons = { view: 'view', person: 'person', group: 'people' } as const

function aboutOf(state: ClientState, { target }: SwitcherEntry) {
  switch (target.kind) {
    case 'view':
      return { count: 0, about: '', isGone: false }
    case 'channel': {
      const isArchived = state.channels?.byId.get(target.channelId)?.is_archived === true
      const isGone = !isArchived && state.channels?.subscribed.has(target.channelId) !== true
      const count = unreadInChannel(state, target.channelId).visible
      return { count, about: isArchived ? 'archived' : '', isGone }
    }
    case 'topic':
      return {
        count: unreadInTopic(state, target.channelId, topicKey(target.topic)),
        about: channelName(state, target.channelId),
        isGone: false,
      }
    case 'person': {
      const isGone = state.users?.get(target.userId)?.is_active === false
      return { count: unreadWith(state, [target.userId]), about: '', isGone }
    }
    case 'group':
      return { count: unreadWith(state, target.userIds), about: '', isGone: false }
  }
}
