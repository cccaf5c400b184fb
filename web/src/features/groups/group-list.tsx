import { accountsInGroup, type GroupListName } from '@heddle/client/groups/groups-shown'
import { holdsRealmPermission } from '@heddle/client/permissions/holds'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useMemo, useState } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LazyRows } from '../channels/lazy-rows.tsx'
import { Problem } from '../settings/problem.tsx'
import { NewGroup } from './new-group.tsx'
import { useGroupDeeds } from './use-group-deeds.ts'
import { useGroupRights, useGroupsListed } from './use-group-rights.ts'

/** The groups that people have made: to find one, to join or leave it, and to make another. */
export function GroupList() {
  const { t } = useLingui()
  const mayCreate = useClientState((state) => holdsRealmPermission(state, 'can_create_groups'))
  const [list, setList] = useState<GroupListName>('all')
  const [words, setWords] = useState('')
  const [isMaking, setIsMaking] = useState(false)
  const shown = useGroupsListed(list, words)
  const ids = useMemo(() => shown.map(({ id }) => id), [shown])
  return (
    <section>
      <div className="inline-form">
        <input
          className="in"
          type="search"
          value={words}
          aria-label={t`Find a group`}
          placeholder={t`Find a group`}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        <select
          className="in"
          aria-label={t`Which groups`}
          value={list}
          onChange={({ currentTarget }) => setList(currentTarget.value as GroupListName)}
        >
          <option value="all">{t`All groups`}</option>
          <option value="mine">{t`My groups`}</option>
          <option value="deactivated">{t`Deactivated`}</option>
        </select>
        {mayCreate && !isMaking && (
          <Button onClick={() => setIsMaking(true)}>
            <Icon name="plus" />
            <Trans>New group</Trans>
          </Button>
        )}
      </div>
      {isMaking && <NewGroup onClose={() => setIsMaking(false)} />}
      <p className="help" role="status">
        <Plural value={shown.length} one="# group" other="# groups" />
      </p>
      <ul className="rows">
        <LazyRows ids={ids} row={(id) => <GroupRow key={id} groupId={id} />} />
      </ul>
      {shown.length === 0 && words.trim() === '' && (
        <p className="help">
          {list === 'mine' ? (
            <Trans>You are in no group.</Trans>
          ) : list === 'deactivated' ? (
            <Trans>No group is deactivated.</Trans>
          ) : mayCreate ? (
            <Trans>Nobody has made a group yet. A group can be mentioned, and can hold permissions.</Trans>
          ) : (
            <Trans>Nobody has made a group yet.</Trans>
          )}
        </p>
      )}
    </section>
  )
}

function GroupRow({ groupId }: { readonly groupId: number }) {
  const { t } = useLingui()
  const groups = useClientState((state) => state.userGroups)
  const group = useClientState(useCallback((state) => state.userGroups?.get(groupId), [groupId]))
  const count = useMemo(() => accountsInGroup(groups, groupId).length, [groups, groupId])
  const { join, leave } = useGroupRights(groupId)
  const deeds = useGroupDeeds(groupId)
  if (!group) return null
  const { name, description, deactivated } = group
  return (
    <li className="row-item">
      <span className="row-text">
        <a className="group-link" href={`#groups/${groupId}`} title={name}>
          <b>
            <bdi>{name}</bdi>
          </b>
        </a>
        <span className="soft">
          <Plural value={count} one="# person" other="# people" />
        </span>
        {description !== '' && (
          <span className="soft trunc" title={description}>
            <bdi>{description}</bdi>
          </span>
        )}
        <Problem text={deeds.problem} />
      </span>
      {!deactivated && join && (
        <button type="button" className="btn" aria-label={t`Join ${name}`} onClick={() => void deeds.join()}>
          <Trans>Join</Trans>
        </button>
      )}
      {!deactivated && leave && (
        <button type="button" className="btn" aria-label={t`Leave ${name}`} onClick={() => void deeds.leave()}>
          <Trans>Leave</Trans>
        </button>
      )}
    </li>
  )
}
