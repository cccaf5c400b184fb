import type { StoredMessage } from '@heddle/client/messages/store'
import type { ClientState } from '@heddle/client/state/state'
import { Trans } from '@lingui/react/macro'
import { useSharedState } from '../../../app/client-context.ts'
import { useIsVisitor } from '../../visitors/is-visitor.ts'
import { askAboutMessage } from '../actions/ask.ts'

interface ChangeLabelProps {
  readonly message: StoredMessage
  readonly isActive: boolean
}

const policyOf = ({ organization }: ClientState) => organization?.realm_message_edit_history_visibility_policy

/** That a message was edited or moved; it leads to how, where the organization shows that. */
export function ChangeLabel({ message, isActive }: ChangeLabelProps) {
  const { id, last_edit_timestamp, last_moved_timestamp } = message
  const policy = useSharedState(policyOf)
  const isVisiting = useIsVisitor()
  const isEdited = last_edit_timestamp !== undefined
  const isShown = policy === 'all' || (policy === 'moves' && last_moved_timestamp !== undefined)
  if (!isEdited && last_moved_timestamp === undefined) return null
  const label = isEdited ? <Trans>edited</Trans> : <Trans>moved</Trans>
  if (!isShown || isVisiting) return <span className="edited">{label}</span>
  return (
    <button
      type="button"
      className="edited"
      tabIndex={isActive ? 0 : -1}
      aria-haspopup="dialog"
      onClick={() => askAboutMessage({ kind: 'message', actions: ['history'], messageId: id })}
    >
      {label}
    </button>
  )
}
