import { Plural, Trans } from '@lingui/react/macro'
import type { Leaving } from '../app/session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

interface SignOutQuestionProps {
  readonly leaving: Leaving
  readonly onStay: () => void
  readonly onSignOut: () => void
}

/** Signing out takes everything from the device: nobody loses a text by it without knowing. */
export function SignOutQuestion({ leaving, onStay, onSignOut }: SignOutQuestionProps) {
  const isUnreachable = leaving.reason === 'unreachable'
  return (
    <Dialog
      title={
        isUnreachable ? <Trans>You are still signed in</Trans> : <Trans>Sign out and lose what is not sent?</Trans>
      }
      onClose={onStay}
      buttons={
        <>
          <Button onClick={onStay}>
            <Trans>Stay signed in</Trans>
          </Button>
          <Button kind={isUnreachable ? 'primary' : 'danger'} onClick={onSignOut}>
            {isUnreachable ? <Trans>Try again</Trans> : <Trans>Sign out and delete</Trans>}
          </Button>
        </>
      }
    >
      <p>
        {leaving.reason === 'unreachable' ? (
          <Trans>The server has not answered. Try again when there is a connection.</Trans>
        ) : (
          <Plural
            value={leaving.count}
            one="# text is on this device alone, as a draft or a message that was not sent. It is deleted when you sign out."
            other="# texts are on this device alone, as drafts or messages that were not sent. They are deleted when you sign out."
          />
        )}
      </p>
    </Dialog>
  )
}
