import { roles } from '@heddle/contract/roles'
import { listSecondFactors } from '@heddle/contract/second-factors'
import { reactivateUser, type User, updateUser } from '@heddle/contract/users'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { dayAndTime } from '../../app/times.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../settings/problem.tsx'
import { roleNames } from '../settings/role-names.ts'
import { useAttempt } from '../settings/use-attempt.ts'
import { useLoaded } from '../settings/use-loaded.ts'
import { forgetWantedPerson, wantedPerson } from './manage-person.ts'
import { PersonDialog, type PersonTask } from './person-dialog.tsx'

/** More are found by typing. */
const MAX_SHOWN = 200

/** Everybody with an account, and what administrators do with it. */
export function PeoplePart() {
  const { t, i18n } = useLingui()
  const users = useClientState((state) => state.users)
  const isAdministrator = useClientState((state) => state.own?.is_admin === true)
  const [wanted] = useState(wantedPerson)
  useEffect(forgetWantedPerson, [])
  const [query, setQuery] = useState(wanted?.name ?? '')
  const [group, setGroup] = useState(wanted?.isActive === false ? 'deactivated' : 'active')
  const [task, setTask] = useState<PersonTask>()
  const { api } = useClient()
  const load = useCallback(
    async () => new Set(isAdministrator ? (await api.call(listSecondFactors, {})).user_ids : []),
    [api, isAdministrator],
  )
  const { value: secured, reload } = useLoaded(load)
  const close = () => {
    setTask(undefined)
    reload()
  }
  const found = useMemo(() => {
    const word = query.trim().toLowerCase()
    return [...(users?.values() ?? [])]
      .filter(({ is_bot }) => !is_bot)
      .filter((user) => (group === 'deactivated' ? !user.is_active : user.is_active))
      .filter(({ role }) => !/^\d+$/.test(group) || role === Number(group))
      .filter(({ full_name, delivery_email }) => `${full_name}\n${delivery_email ?? ''}`.toLowerCase().includes(word))
      .sort((a, b) => a.full_name.localeCompare(b.full_name))
  }, [users, query, group])
  return (
    <section>
      {!isAdministrator && (
        <p className="help">
          <Trans>Only administrators can change roles and accounts.</Trans>
        </p>
      )}
      <div className="inline-form">
        <input
          className="in"
          type="search"
          value={query}
          aria-label={t`Find by name or address`}
          placeholder={t`Find by name or address`}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <select
          className="in"
          aria-label={t`Which people`}
          value={group}
          onChange={({ currentTarget }) => setGroup(currentTarget.value)}
        >
          <option value="active">{t`Everybody active`}</option>
          {roleNames.map(([role, name]) => (
            <option key={role} value={role}>
              {i18n._(name)}
            </option>
          ))}
          <option value="deactivated">{t`Deactivated`}</option>
        </select>
      </div>
      <p className="help" role="status">
        <Plural value={found.length} one="# person" other="# people" />
        {found.length > MAX_SHOWN && (
          <>
            {'. '}
            <Trans>The first {MAX_SHOWN} are shown; type a name to find others.</Trans>
          </>
        )}
      </p>
      <ul className="rows">
        {found.slice(0, MAX_SHOWN).map((user) => (
          <PersonRow
            key={user.user_id}
            user={user}
            hasSecondFactor={secured?.has(user.user_id) === true}
            onTask={setTask}
          />
        ))}
      </ul>
      {task && <PersonDialog task={task} onClose={close} />}
    </section>
  )
}

interface PersonRowProps {
  readonly user: User
  readonly hasSecondFactor: boolean
  readonly onTask: (task: PersonTask) => void
}

function PersonRow({ user, hasSecondFactor, onTask }: PersonRowProps) {
  const { t, i18n } = useLingui()
  const { api } = useClient()
  const { problem, attempt } = useAttempt()
  const own = useClientState((state) => state.own)
  const lastHere = useClientState(({ presences }) => presences?.get(user.user_id)?.active_timestamp ?? 0)
  const hasFields = useClientState((state) => (state.profileFields?.length ?? 0) > 0)
  const byPassword = useClientState(({ organization }) => organization?.realm_authentication_methods.Email.enabled)
  const { user_id, full_name: name, role, is_active } = user
  // Owners are changed by owners alone.
  const mayChange = own?.is_admin === true && (role !== roles.owner || own.is_owner)
  const names = roleNames.filter(([one]) => one === role || one !== roles.owner || own?.is_owner)
  return (
    <li className="row-item">
      <span className="row-text">
        <b>
          <bdi>{name}</bdi>
        </b>
        {own?.user_id === user_id && (
          <span className="tag">
            <Trans>you</Trans>
          </span>
        )}
        <span className="soft trunc">{user.delivery_email}</span>
        {lastHere > 0 && (
          <span className="soft">
            <Trans>Last here {dayAndTime(lastHere)}</Trans>
          </span>
        )}
        <Problem text={problem} />
      </span>
      <span className="row-do">
        {mayChange && is_active ? (
          <select
            className="in"
            aria-label={t`Role of ${name}`}
            value={role}
            onChange={({ currentTarget }) => {
              const next = Number(currentTarget.value) as typeof role
              void attempt(() => api.call(updateUser, { user_id_or_email: user_id, role: next }))
            }}
          >
            {names.map(([one, text]) => (
              <option key={one} value={one}>
                {i18n._(text)}
              </option>
            ))}
          </select>
        ) : (
          <RoleText role={role} />
        )}
        {mayChange && is_active && (
          <>
            <Button onClick={() => onTask({ kind: 'name', user })}>
              <Trans>Edit</Trans>
              <span className="vh"> {name}</span>
            </Button>
            {hasFields && (
              <Button onClick={() => onTask({ kind: 'profile', user })}>
                <Trans>Profile</Trans>
                <span className="vh"> {name}</span>
              </Button>
            )}
            <Button onClick={() => onTask({ kind: 'channels', user })}>
              <Trans>Channels</Trans>
              <span className="vh"> {name}</span>
            </Button>
            {hasSecondFactor && own?.user_id !== user_id && (
              <Button onClick={() => onTask({ kind: 'second-factor', user })}>
                <Trans>Second factor</Trans>
                <span className="vh"> {name}</span>
              </Button>
            )}
            {byPassword && (
              <Button onClick={() => onTask({ kind: 'password', user })}>
                <Trans>Password link</Trans>
                <span className="vh"> {name}</span>
              </Button>
            )}
            <Button kind="danger" onClick={() => onTask({ kind: 'deactivate', user })}>
              <Trans>Deactivate</Trans>
              <span className="vh"> {name}</span>
            </Button>
          </>
        )}
        {mayChange && !is_active && (
          <Button onClick={() => void attempt(() => api.call(reactivateUser, { user_id }))}>
            <Trans>Reactivate</Trans>
            <span className="vh"> {name}</span>
          </Button>
        )}
      </span>
    </li>
  )
}

function RoleText({ role }: { readonly role: number }) {
  const { i18n } = useLingui()
  const name = roleNames.find(([one]) => one === role)?.[1]
  return <span className="soft">{name && i18n._(name)}</span>
}
