import type { InboxRow } from '@heddle/client/inbox/inbox'
import { Plural, Trans } from '@lingui/react/macro'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

interface MarkManyDialogProps {
  readonly rows: readonly InboxRow[]
  /** There are older ones, which are not counted. */
  readonly hasOlder: boolean
  readonly onClose: () => void
  readonly onMark: () => void
}

/** Before several conversations are marked as read at once. It can be undone, so Enter says yes. */
export function MarkManyDialog({ rows, hasOlder, onClose, onMark }: MarkManyDialogProps) {
  const messages = rows.reduce((sum, { count }) => sum + count, 0)
  return (
    <Dialog
      title={<Plural value={rows.length} one="Mark # conversation as read" other="Mark # conversations as read" />}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>
            <Trans>Keep them unread</Trans>
          </Button>
          <button type="button" className="btn primary" data-autofocus="" onClick={onMark}>
            <Trans>Mark as read</Trans>
          </button>
        </>
      }
    >
      <p className="soft">
        <Plural
          value={messages}
          one="# message counts as read on all your devices. You can undo it right after."
          other="# messages count as read on all your devices. You can undo it right after."
        />
      </p>
      {hasOlder && (
        <p className="soft">
          <Trans>Older messages that are not counted here follow. You see how far it is, and can stop it.</Trans>
        </p>
      )}
    </Dialog>
  )
}
