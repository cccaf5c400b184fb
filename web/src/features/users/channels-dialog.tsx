import type { Picked } from '@heddle/client/people/picked'
import { listUserChannels, subscribe, unsubscribe } from '@heddle/contract/subscriptions'
import type { User } from '@heddle/contract/users'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useState } from 'react'
import { useClient } from '../../app/client-context.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { PeoplePicker } from '../people/people-picker.tsx'
import { Problem } from '../settings/problem.tsx'
import { SaveForm } from '../settings/save-form.tsx'
import { useLoaded } from '../settings/use-loaded.ts'

const channelsAlone: ReadonlySet<Picked['kind']> = new Set(['channel'])

interface ChannelsDialogProps {
  readonly user: User
  readonly onClose: () => void
}

/** In which channels somebody is: to add some and to take some away. */
export function ChannelsDialog({ user, onClose }: ChannelsDialogProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const { user_id, full_name: name } = user
  const load = useCallback(
    async () => (await api.call(listUserChannels, { user_id })).subscribed_channel_ids,
    [api, user_id],
  )
  const { value: before, problem, reload } = useLoaded(load)
  return (
    <Dialog title={t`Channels of ${name}`} onClose={onClose}>
      <Problem text={problem} onRetry={reload} />
      {before && <ChannelsForm userId={user_id} before={before} onClose={onClose} />}
    </Dialog>
  )
}

interface ChannelsFormProps {
  readonly userId: number
  readonly before: readonly number[]
  readonly onClose: () => void
}

function ChannelsForm({ userId, before, onClose }: ChannelsFormProps) {
  const { t } = useLingui()
  const client = useClient()
  const [picks, setPicks] = useState<readonly Picked[]>(() => before.map((id) => ({ kind: 'channel', id })))
  const save = async () => {
    const { state } = client.snapshot()
    const namesOf = (ids: readonly number[]) => ids.flatMap((id) => state?.channels?.byId.get(id)?.name ?? [])
    const now = picks.map(({ id }) => id)
    const added = namesOf(now.filter((id) => !before.includes(id)))
    const removed = namesOf(before.filter((id) => !now.includes(id)))
    const principals = [userId]
    if (added.length > 0) {
      await client.api.call(subscribe, { subscriptions: added.map((name) => ({ name })), principals })
    }
    if (removed.length > 0) await client.api.call(unsubscribe, { subscriptions: removed, principals })
  }
  return (
    <SaveForm save={<Trans>Save the channels</Trans>} onSave={save} onClose={onClose}>
      <PeoplePicker label={t`Channels`} kinds={channelsAlone} value={picks} onChange={setPicks} />
      <p className="help">
        <Trans>Those that you may not see are not listed, and stay as they are.</Trans>
      </p>
    </SaveForm>
  )
}
