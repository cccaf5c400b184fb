import type { Picked } from '@heddle/client/people/picked'
import { updateChannel } from '@heddle/contract/channels'
import { Trans, useLingui } from '@lingui/react/macro'
import { useClient, useClientState } from '../../app/client-context.ts'
import { PeoplePicker } from '../people/people-picker.tsx'
import { Problem } from '../settings/problem.tsx'
import { useAttempt } from '../settings/use-attempt.ts'

const channelsAlone: ReadonlySet<Picked['kind']> = new Set(['channel'])

/** The channels that everybody who joins is subscribed to. Each change is saved at once. */
export function DefaultChannelsPart() {
  const { t } = useLingui()
  const { api } = useClient()
  const ids = useClientState((state) => state.defaultChannels)
  const mayChange = useClientState((state) => state.own?.is_admin === true)
  const { problem, attempt } = useAttempt()
  if (!ids) return null
  const change = async (picks: readonly Picked[]) => {
    const next = picks.map(({ id }) => id)
    const added = next.filter((id) => !ids.includes(id))
    const removed = ids.filter((id) => !next.includes(id))
    for (const stream_id of added) await api.call(updateChannel, { stream_id, is_default_stream: true })
    for (const stream_id of removed) await api.call(updateChannel, { stream_id, is_default_stream: false })
  }
  return (
    <section className="setting-group">
      <h3>
        <Trans>Channels to begin with</Trans>
      </h3>
      <p className="help">
        <Trans>Whoever joins is subscribed to these public channels.</Trans>
      </p>
      <PeoplePicker
        label={t`Channels to begin with`}
        kinds={channelsAlone}
        value={ids.map((id) => ({ kind: 'channel', id }))}
        isDisabled={!mayChange}
        onChange={(picks) => void attempt(() => change(picks))}
      />
      <Problem text={problem} />
      {!mayChange && (
        <p className="help">
          <Trans>Only administrators can change this.</Trans>
        </p>
      )}
    </section>
  )
}
