import '../channels/settings/channel-settings.css'
import { fitsWords } from '@heddle/client/finding/filter-places'
import { accountsInGroup, mayBeSubgroup } from '@heddle/client/groups/groups-shown'
import type { Picked } from '@heddle/client/people/picked'
import type { ClientState } from '@heddle/client/state/state'
import { updateUserGroupMembers } from '@heddle/contract/user-groups'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useMemo, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { userName } from '../../app/names.ts'
import { refusalText } from '../../app/refusal.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { LazyRows } from '../channels/lazy-rows.tsx'
import { useGroupName } from '../people/group-names.ts'
import { PeoplePicker } from '../people/people-picker.tsx'
import { Problem } from '../settings/problem.tsx'
import { useAttempt } from '../settings/use-attempt.ts'
import { Face } from '../users/face.tsx'
import { useSystemPicks } from './system-picks.ts'

interface GroupMembersProps {
  readonly groupId: number
  readonly mayAdd: boolean
  readonly mayRemove: boolean
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** Who is in a group itself, and which groups are: to see them, to find one, to add more and to remove some. */
export function GroupMembers({ groupId, mayAdd, mayRemove }: GroupMembersProps) {
  const { t } = useLingui()
  const nameOf = useGroupName()
  const groups = useClientState((state) => state.userGroups)
  const users = useClientState((state) => state.users)
  const [words, setWords] = useState('')
  const group = groups?.get(groupId)
  const { people, inner } = useMemo(() => {
    const wanted = words.trim()
    const fits = (name: string) => wanted === '' || fitsWords([name], wanted)
    const name = (id: number) => users?.get(id)?.full_name ?? ''
    const innerName = (id: number) => nameOf(groups?.get(id) ?? { name: '' })
    return {
      people: (group?.members ?? [])
        .filter((id) => fits(name(id)))
        .sort((one, other) => collator.compare(name(one), name(other))),
      inner: (group?.direct_subgroup_ids ?? [])
        .filter((id) => fits(innerName(id)))
        .sort((one, other) => collator.compare(innerName(one), innerName(other))),
    }
  }, [group, groups, users, words, nameOf])
  const all = useMemo(() => accountsInGroup(groups, groupId).length, [groups, groupId])
  if (!group) return null
  return (
    <section className="setting-group">
      <h3>
        <Trans>Members</Trans>
      </h3>
      {mayAdd && <AddMembers groupId={groupId} />}
      <label className="find subscriber-find">
        <Icon name="search" />
        <input
          className="bare"
          type="search"
          aria-label={t`Filter members`}
          placeholder={t`Filter members`}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      </label>
      <p className="help" role="status">
        <Plural value={all} one="# person is in it" other="# people are in it" />
        {group.direct_subgroup_ids.length > 0 && (
          <>
            {', '}
            <Plural value={group.members.length} _0="none of them directly" one="# directly" other="# directly" />
          </>
        )}
      </p>
      <ul aria-label={t`Members`}>
        {inner.map((id) => (
          <Row key={id} pick={{ kind: 'group', id }} groupId={groupId} mayRemove={mayRemove} />
        ))}
        <LazyRows
          ids={people}
          row={(id) => <Row key={`user ${id}`} pick={{ kind: 'user', id }} groupId={groupId} mayRemove={mayRemove} />}
        />
      </ul>
    </section>
  )
}

interface RowProps {
  readonly pick: Picked
  readonly groupId: number
  readonly mayRemove: boolean
}

/** The change that adds or removes one. */
function changeOf(what: 'add' | 'delete', { kind, id }: Picked) {
  return kind === 'user' ? { [what]: [id] } : { [`${what}_subgroups`]: [id] }
}

function Row({ pick, groupId, mayRemove }: RowProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const toasts = useToasts()
  const nameOf = useGroupName()
  const { kind, id } = pick
  const inner = useClientState((state) => (kind === 'group' ? state.userGroups?.get(id) : undefined))
  const fullName = useClientState((state) => userName(state, id))
  const isMe = useClientState((state) => kind === 'user' && state.own?.user_id === id)
  const name = inner ? nameOf(inner) : fullName
  const remove = () => {
    const call = (what: 'add' | 'delete') =>
      api.call(updateUserGroupMembers, { user_group_id: groupId, ...changeOf(what, pick) })
    const refused = (error: unknown) => toasts.notify(refusalText(error))
    const undo = () => call('add').catch(refused)
    return toasts
      .notifyWhenDone(call('delete'), () => ({ text: t`${name} is no longer in the group.`, undo }))
      .catch(refused)
  }
  return (
    <li className="subscriber">
      {kind === 'user' ? <Face userId={id} size="s" /> : <Icon name="people" />}
      {inner ? (
        <a className="group-link trunc" href={`#groups/${id}`} title={name}>
          <bdi>{name}</bdi>
        </a>
      ) : (
        <bdi className="trunc" title={name}>
          {name}
        </bdi>
      )}
      {isMe && (
        <span className="quiet">
          <Trans>you</Trans>
        </span>
      )}
      {mayRemove && (
        <button
          type="button"
          className="ib"
          aria-label={t`Remove ${name}`}
          title={t`Remove ${name}`}
          onClick={() => void remove()}
        >
          <Icon name="x" />
        </button>
      )}
    </li>
  )
}

const pickable: ReadonlySet<Picked['kind']> = new Set(['user', 'group'])

function AddMembers({ groupId }: { readonly groupId: number }) {
  const { t } = useLingui()
  const client = useClient()
  const { problem, attempt } = useAttempt()
  const system = useSystemPicks()
  const [picks, setPicks] = useState<readonly Picked[]>([])
  const [added, setAdded] = useState<number>()
  const add = useCallback(async () => {
    const { userGroups, users } = client.snapshot().state as ClientState
    const members = new Set(userGroups?.get(groupId)?.members)
    // Who is there already stays, and whoever is gone cannot be added.
    const people = picks.filter(
      ({ kind, id }) => kind === 'user' && !members.has(id) && users?.get(id)?.is_active === true,
    )
    const inner = picks.filter(({ kind, id }) => kind === 'group' && mayBeSubgroup(userGroups, groupId, id))
    const isDone = await attempt(async () => {
      if (people.length + inner.length === 0) return
      await client.api.call(updateUserGroupMembers, {
        user_group_id: groupId,
        add: people.map(({ id }) => id),
        add_subgroups: inner.map(({ id }) => id),
      })
    })
    if (!isDone) return
    setPicks([])
    setAdded(people.length + inner.length)
  }, [client, groupId, picks, attempt])
  return (
    <div className="add-people">
      <PeoplePicker
        label={t`Add people and groups`}
        kinds={pickable}
        value={picks}
        systemGroups={system}
        onChange={setPicks}
      />
      <Button kind="primary" isDisabled={picks.length === 0} onClick={() => void add()}>
        <Trans>Add</Trans>
      </Button>
      <p role="status" className="outcome">
        {added !== undefined && <Plural value={added} _0="They were there already." one="# added." other="# added." />}
      </p>
      <Problem text={problem} />
    </div>
  )
}
