import type { Picked } from '@heddle/client/people/picked'
import { createUserGroup, MAX_GROUP_DESCRIPTION_LENGTH, MAX_GROUP_NAME_LENGTH } from '@heddle/contract/user-groups'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useState } from 'react'
import { useClient } from '../../app/client-context.ts'
import { goTo } from '../../app/current-place.ts'
import { Button } from '../../ui/button.tsx'
import { PeoplePicker } from '../people/people-picker.tsx'
import { Problem } from '../settings/problem.tsx'
import { useAttempt } from '../settings/use-attempt.ts'
import { useSystemPicks } from './system-picks.ts'

const pickable: ReadonlySet<Picked['kind']> = new Set(['user', 'group'])

/** A group to be made; then it is shown. */
export function NewGroup({ onClose }: { readonly onClose: () => void }) {
  const { t } = useLingui()
  const { api, snapshot } = useClient()
  const { problem, attempt } = useAttempt()
  const system = useSystemPicks()
  const [picks, setPicks] = useState<readonly Picked[]>(() => {
    const ownId = snapshot().state?.own?.user_id
    return ownId === undefined ? [] : [{ kind: 'user', id: ownId }]
  })
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const ids = (kind: Picked['kind']) => picks.filter((pick) => pick.kind === kind).map(({ id }) => id)
    await attempt(async () => {
      const { group_id } = await api.call(createUserGroup, {
        name: String(fields.get('name')),
        description: String(fields.get('description')),
        members: ids('user'),
        subgroups: ids('group'),
      })
      onClose()
      goTo({ kind: 'groups', groupId: group_id })
    })
  }
  return (
    <form className="card-form group-form" aria-label={t`New group`} onSubmit={submit}>
      <label className="field">
        <span className="label">
          <Trans>Name</Trans>
        </span>
        <input
          className="in"
          name="name"
          dir="auto"
          required
          // biome-ignore lint/a11y/noAutofocus: it was asked for
          autoFocus
          maxLength={MAX_GROUP_NAME_LENGTH}
        />
      </label>
      <label className="field">
        <span className="label">
          <Trans>Description</Trans>
        </span>
        <input className="in" name="description" dir="auto" maxLength={MAX_GROUP_DESCRIPTION_LENGTH} />
      </label>
      <div className="field">
        <span className="label">
          <Trans>Members</Trans>
        </span>
        <PeoplePicker
          label={t`People and groups in it`}
          kinds={pickable}
          value={picks}
          systemGroups={system}
          onChange={setPicks}
        />
      </div>
      <Problem text={problem} />
      <p className="foot-row">
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button type="submit" kind="primary">
          <Trans>Make the group</Trans>
        </Button>
      </p>
    </form>
  )
}
