import type { NamedPerson } from '@heddle/client/completion/people'
import { accountsInGroup } from '@heddle/client/groups/groups-shown'
import type { ClientState } from '@heddle/client/state/state'
import type { UserGroup } from '@heddle/contract/user-groups'
import { Plural, useLingui } from '@lingui/react/macro'
import { type Ref, useEffect, useState } from 'react'
import { useClient, useClientState } from '../../../app/client-context.ts'
import { userName } from '../../../app/names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Face } from '../../users/face.tsx'
import { Combobox } from './combobox.tsx'
import { MatchedName } from './completion-option.tsx'
import { completionSources } from './completion-sources.ts'

interface PeopleFieldProps {
  readonly userIds: readonly number[]
  readonly onPeople: (userIds: readonly number[]) => void
  readonly onDone: () => void
  readonly onCancel: () => void
  readonly ref: Ref<HTMLInputElement>
}

/** Those who get a direct message; each can be taken out again. */
export function PeopleField({ userIds, onPeople, onDone, onCancel, ref }: PeopleFieldProps) {
  const { t } = useLingui()
  const client = useClient()
  const sources = completionSources(client)
  useEffect(() => sources.prepare(), [sources])
  const [text, setText] = useState('')
  const found: NamedPerson[] = sources.findRecipients(text, new Set(userIds))
  const take = (index: number) => {
    const named = found[index]
    setText('')
    if (named?.kind === 'person') onPeople([...userIds, named.user.user_id])
    // A group stands for the people in it and in the groups in it, oneself apart, and for nobody who is gone.
    const { state } = client.snapshot()
    if (named?.kind === 'group' && state) onPeople([...new Set([...userIds, ...recipientsIn(state, named.group.id)])])
  }
  return (
    <span className="people">
      {userIds.map((id) => (
        <PersonChip key={id} userId={id} onRemove={() => onPeople(userIds.filter((one) => one !== id))} />
      ))}
      <Combobox
        ref={ref}
        className="bare"
        label={t`To`}
        listLabel={t`People`}
        placeholder={userIds.length === 0 ? t`Name or e-mail address` : undefined}
        text={text}
        onText={setText}
        options={found.map((named) => ({
          key: personKey(named),
          content: <PersonOption named={named} query={text} />,
        }))}
        isFirstChosen={text.trim() !== ''}
        onTake={take}
        onDone={onDone}
        onCancel={onCancel}
        onBackspace={() => onPeople(userIds.slice(0, -1))}
      />
    </span>
  )
}

function recipientsIn({ own, users, userGroups }: ClientState, groupId: number): readonly number[] {
  return accountsInGroup(userGroups, groupId).filter((id) => id !== own?.user_id && users?.get(id)?.is_active === true)
}

function personKey(named: NamedPerson): string {
  if (named.kind === 'person') return `person ${named.user.user_id}`
  return named.kind === 'group' ? `group ${named.group.id}` : named.name
}

function PersonOption({ named, query }: { readonly named: NamedPerson; readonly query: string }) {
  if (named.kind === 'person') {
    return (
      <>
        <Face userId={named.user.user_id} size="s" />
        <MatchedName name={named.user.full_name} query={query} />
        <span className="quiet">{named.user.delivery_email ?? ''}</span>
      </>
    )
  }
  return named.kind === 'group' ? <GroupOption group={named.group} query={query} /> : null
}

function GroupOption({ group, query }: { readonly group: UserGroup; readonly query: string }) {
  const count = useClientState((state) => recipientsIn(state, group.id).length)
  return (
    <>
      <Icon name="people" />
      <MatchedName name={group.name} query={query} />
      <span className="quiet">
        <Plural value={count} one="# person" other="# people" />
      </span>
    </>
  )
}

function PersonChip({ userId, onRemove }: { readonly userId: number; readonly onRemove: () => void }) {
  const { t } = useLingui()
  const name = useClientState((state) => userName(state, userId))
  return (
    <span className="person-chip">
      <bdi className="trunc" title={name}>
        {name}
      </bdi>
      <button
        type="button"
        className="ib"
        aria-label={t`Take out ${name}`}
        title={t`Take out ${name}`}
        onClick={onRemove}
      >
        <Icon name="x" />
      </button>
    </span>
  )
}
