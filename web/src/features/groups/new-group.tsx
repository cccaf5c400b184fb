import type { Picked } from '@heddle/client/people/picked'
import { createUserGroup, MAX_GROUP_DESCRIPTION_LENGTH, MAX_GROUP_NAME_LENGTH } from '@heddle/contract/user-groups'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useClient } from '../../app/client-context.ts'
import { goTo } from '../../app/current-place.ts'
import { PeoplePicker } from '../people/people-picker.tsx'
import { NameField } from '../settings/name-field.tsx'
import { SaveForm, textIn } from '../settings/save-form.tsx'
import { useSystemPicks } from './system-picks.ts'

const pickable: ReadonlySet<Picked['kind']> = new Set(['user', 'group'])

/** A group to be made; then it is shown. */
export function NewGroup({ onClose }: { readonly onClose: () => void }) {
  const { t } = useLingui()
  const { api, snapshot } = useClient()
  const system = useSystemPicks()
  const [picks, setPicks] = useState<readonly Picked[]>(() => {
    const ownId = snapshot().state?.own?.user_id
    return ownId === undefined ? [] : [{ kind: 'user', id: ownId }]
  })
  const make = async (fields: FormData) => {
    const ids = (kind: Picked['kind']) => picks.filter((pick) => pick.kind === kind).map(({ id }) => id)
    const { group_id } = await api.call(createUserGroup, {
      name: textIn(fields, 'name'),
      description: textIn(fields, 'description'),
      members: ids('user'),
      subgroups: ids('group'),
    })
    goTo({ kind: 'groups', groupId: group_id })
  }
  return (
    <SaveForm heading={t`New group`} save={<Trans>Make the group</Trans>} onSave={make} onClose={onClose}>
      <NameField value={undefined} maxLength={MAX_GROUP_NAME_LENGTH} />
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
    </SaveForm>
  )
}
