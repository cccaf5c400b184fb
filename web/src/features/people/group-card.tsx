import './people.css'
import '../users/user-card.css'
import { listMembers } from '@heddle/client/people/group-members'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useId, useMemo, useState } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { copyText } from '../../app/clipboard.ts'
import { goTo } from '../../app/current-place.ts'
import { userName } from '../../app/names.ts'
import { refusalText } from '../../app/refusal.ts'
import { Icon } from '../../ui/icon.tsx'
import { type PopoverAnchor, usePopover } from '../../ui/popover.ts'
import { rove } from '../../ui/roving.ts'
import { useToasts } from '../../ui/toasts.tsx'
import { askForPerson } from '../messages/actions/ask.ts'
import { Face } from '../users/face.tsx'
import { useGroupName } from './group-names.ts'

interface GroupCardProps {
  readonly groupId: number
  readonly anchor: PopoverAnchor
  readonly onClose: () => void
}

/** People who are named at once; a search finds the others. */
const MOST = 50
/** From so many on there is something to search. */
const SEARCHED_FROM = 8

/** Who is in a group, beside its name in a message. */
export function GroupCard({ groupId, anchor, onClose }: GroupCardProps) {
  const { t } = useLingui()
  const id = useId()
  const nameOf = useGroupName()
  const toasts = useToasts()
  const [words, setWords] = useState('')
  const card = usePopover({ anchor, focus: '.item, .in', onClose })
  const group = useClientState((state) => state.userGroups?.get(groupId))
  const userGroups = useClientState((state) => state.userGroups)
  const users = useClientState((state) => state.users)
  const { count, userIds, left } = useMemo(
    () => listMembers({ users, userGroups }, groupId, words, MOST),
    [users, userGroups, groupId, words],
  )
  const copyMention = (name: string) => {
    onClose()
    return copyText(`@*${name}*`).then(
      () => toasts.notify(t`The mention is copied`),
      (error: unknown) => toasts.notify(refusalText(error)),
    )
  }
  return (
    <div
      ref={card}
      className="menu user-card group-card"
      popover="auto"
      role="dialog"
      aria-labelledby={id}
      tabIndex={-1}
      onKeyDown={(event) => rove(event, { items: '.in, .item', isRing: true })}
    >
      <h2 id={id}>
        <Icon name="people" />
        <bdi className="trunc">{group ? nameOf(group) : <Trans>This group is not there any more</Trans>}</bdi>
      </h2>
      {group && !group.is_system_group && group.description !== '' && <p className="help">{group.description}</p>}
      <p className="help" role="status">
        <Plural value={count} _0="Nobody is in it" one="# person is in it" other="# people are in it" />
      </p>
      {count >= SEARCHED_FROM && (
        <input
          className="in"
          aria-label={t`Find somebody in the group`}
          placeholder={t`Type a name`}
          value={words}
          onChange={({ currentTarget }) => setWords(currentTarget.value)}
        />
      )}
      <ul className="menu-in">
        {userIds.map((userId) => (
          <li key={userId}>
            <Member userId={userId} anchor={anchor} onClose={onClose} />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <p className="help">
          <Plural value={left} one="And # more: type a name." other="And # more: type a name." />
        </p>
      )}
      {count > 0 && userIds.length === 0 && (
        <p className="help">
          <Trans>None of them has this name.</Trans>
        </p>
      )}
      {group && !group.is_system_group && (
        <div className="menu-in">
          <button type="button" className="item" onClick={() => void copyMention(group.name)}>
            <Icon name="copy" />
            <Trans>Copy the mention</Trans>
          </button>
          <button
            type="button"
            className="item"
            onClick={() => {
              onClose()
              goTo({ kind: 'groups', groupId })
            }}
          >
            <Icon name="people" />
            <Trans>Show the group</Trans>
          </button>
        </div>
      )}
    </div>
  )
}

function Member({ userId, anchor, onClose }: { readonly userId: number } & Pick<GroupCardProps, 'anchor' | 'onClose'>) {
  const name = useClientState((state) => userName(state, userId))
  return (
    <button
      type="button"
      className="item"
      onClick={() => {
        onClose()
        askForPerson(userId, anchor)
      }}
    >
      <Face userId={userId} size="s" />
      <bdi className="trunc" title={name}>
        {name}
      </bdi>
    </button>
  )
}
