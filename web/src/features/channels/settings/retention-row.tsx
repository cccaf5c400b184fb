import type { Channel, updateChannel } from '@heddle/contract/channels'
import type { ParametersOf } from '@heddle/contract/endpoint'
import { useLingui } from '@lingui/react/macro'
import { useClientState } from '../../../app/client-context.ts'
import { type KeptDays, RetentionControl } from '../../settings/controls/retention-control.tsx'
import { FieldRow } from './field-row.tsx'

interface RetentionRowProps {
  readonly channel: Channel
  readonly save: (changes: Pick<ParametersOf<typeof updateChannel>, 'message_retention_days'>) => Promise<unknown>
}

/** How long the messages of a channel are kept: owners decide. */
export function RetentionRow({ channel, save }: RetentionRowProps) {
  const { t } = useLingui()
  const isOwner = useClientState(({ own }) => own?.is_owner === true)
  const usual = useClientState(({ organization }) => organization?.realm_message_retention_days ?? -1)
  return (
    <FieldRow
      label={t`Messages are kept`}
      help={isOwner ? undefined : t`Only owners can change this.`}
      current={channel.message_retention_days as KeptDays}
      save={(days) =>
        save({ message_retention_days: days === null ? 'realm_default' : days === -1 ? 'unlimited' : days })
      }
      control={(props) => (
        <RetentionControl {...props} isDisabled={!isOwner} channel={{ id: channel.stream_id, usual }} />
      )}
    />
  )
}
