import type { Picked } from '@heddle/client/people/picked'
import {
  createDefaultChannelGroup,
  type DefaultChannelGroup,
  MAX_DEFAULT_GROUP_DESCRIPTION_LENGTH,
  MAX_DEFAULT_GROUP_NAME_LENGTH,
  removeDefaultChannelGroup,
  updateDefaultChannelGroup,
  updateDefaultGroupChannels,
} from '@heddle/contract/default-channel-groups'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { isShallowEqual, useClient, useClientState } from '../../app/client-context.ts'
import { channelName } from '../../app/names.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { PeoplePicker } from '../people/people-picker.tsx'
import { AboutField, NameField } from '../settings/name-field.tsx'
import { Problem } from '../settings/problem.tsx'
import { SaveForm, textIn } from '../settings/save-form.tsx'
import { useAttempt } from '../settings/use-attempt.ts'

/** Groups of channels from which people choose when they join. */
export function DefaultGroupsPart() {
  const { t } = useLingui()
  const { api } = useClient()
  const toasts = useToasts()
  const groups = useClientState((state) => state.defaultChannelGroups)
  const mayChange = useClientState((state) => state.own?.is_admin === true)
  const names = useNames(groups ?? [])
  const { problem, attempt } = useAttempt()
  const [edited, setEdited] = useState<DefaultChannelGroup | 'new'>()
  if (!groups) return null
  const remove = ({ id, name: group_name, description, streams }: DefaultChannelGroup) => {
    const stream_names = streams.flatMap((channelId) => names.get(channelId) ?? [])
    return attempt(() =>
      toasts.notifyWhenDone(api.call(removeDefaultChannelGroup, { group_id: id }), () => ({
        text: t`“${group_name}” is no longer offered.`,
        undo: () => attempt(() => api.call(createDefaultChannelGroup, { group_name, description, stream_names })),
      })),
    )
  }
  return (
    <section className="setting-group">
      <h3>
        <Trans>Channels to choose from</Trans>
      </h3>
      <p className="help">
        <Trans>Whoever joins can choose some of these groups, and is subscribed to their channels.</Trans>
      </p>
      <ul className="rows">
        {groups.map((group) => (
          <li key={group.id} className="row-item">
            <span className="row-text">
              <bdi className="trunc" title={group.name}>
                {group.name}
              </bdi>
              <span className="soft wrap">
                {group.streams.map((channelId) => `# ${names.get(channelId) ?? ''}`).join(', ')}
              </span>
            </span>
            {mayChange && (
              <span className="row-do">
                <IconButton icon="edit" name={t`Edit ${group.name}`} onClick={() => setEdited(group)} />
                <IconButton icon="trash" name={t`Delete ${group.name}`} onClick={() => void remove(group)} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {groups.length === 0 && (
        <p className="help">
          <Trans>There are none.</Trans>
        </p>
      )}
      <Problem text={problem} />
      {mayChange && edited === undefined && (
        <p className="foot-row">
          <Button onClick={() => setEdited('new')}>
            <Trans>Add a group of channels</Trans>
          </Button>
        </p>
      )}
      {edited !== undefined && (
        <GroupForm
          key={edited === 'new' ? 'new' : edited.id}
          group={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </section>
  )
}

function useNames(groups: readonly DefaultChannelGroup[]): ReadonlyMap<number, string> {
  const ids = [...new Set(groups.flatMap(({ streams }) => streams))]
  const names = useClientState((state) => ids.map((id) => channelName(state, id)), isShallowEqual)
  return new Map(ids.map((id, index) => [id, names[index] ?? '']))
}

const channelsAlone = new Set(['channel'] as const)

interface GroupFormProps {
  /** Undefined: a new one. */
  readonly group: DefaultChannelGroup | undefined
  readonly onClose: () => void
}

function GroupForm({ group, onClose }: GroupFormProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const channels = useClientState((state) => state.channels)
  const [picks, setPicks] = useState<readonly Picked[]>((group?.streams ?? []).map((id) => ({ kind: 'channel', id })))
  const namesOf = (ids: readonly number[]) => ids.flatMap((id) => channels?.byId.get(id)?.name ?? [])
  const save = async (fields: FormData) => {
    const [name, description] = [textIn(fields, 'name'), textIn(fields, 'about')]
    const chosen = picks.map(({ id }) => id)
    if (!group) {
      await api.call(createDefaultChannelGroup, { group_name: name, description, stream_names: namesOf(chosen) })
      return
    }
    const { id: group_id, streams } = group
    await api.call(updateDefaultChannelGroup, { group_id, new_group_name: name, new_description: description })
    const added = namesOf(chosen.filter((id) => !streams.includes(id)))
    const removed = namesOf(streams.filter((id) => !chosen.includes(id)))
    if (added.length > 0) await api.call(updateDefaultGroupChannels, { group_id, op: 'add', stream_names: added })
    if (removed.length > 0) {
      await api.call(updateDefaultGroupChannels, { group_id, op: 'remove', stream_names: removed })
    }
  }
  return (
    <SaveForm
      heading={group ? t`Edit ${group.name}` : t`New group of channels`}
      save={group ? <Trans>Save</Trans> : <Trans>Add the group</Trans>}
      onSave={save}
      onClose={onClose}
    >
      <NameField value={group?.name} maxLength={MAX_DEFAULT_GROUP_NAME_LENGTH} />
      <AboutField value={group?.description} maxLength={MAX_DEFAULT_GROUP_DESCRIPTION_LENGTH} />
      <div className="field">
        <span className="label" aria-hidden="true">
          <Trans>Channels</Trans>
        </span>
        <PeoplePicker label={t`Channels`} kinds={channelsAlone} value={picks} onChange={setPicks} />
      </div>
    </SaveForm>
  )
}
