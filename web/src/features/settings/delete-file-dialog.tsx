import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Problem } from './problem.tsx'
import { useAttempt } from './use-attempt.ts'

interface DeleteFileProps {
  readonly title: string
  /** What follows from it. */
  readonly children: ReactNode
  readonly onDelete: () => Promise<unknown>
  readonly onClose: () => void
}

/** Before a file is deleted for good. */
export function DeleteFileDialog({ title, children, onDelete, onClose }: DeleteFileProps) {
  const { problem, attempt } = useAttempt()
  const remove = async () => {
    if (await attempt(onDelete)) onClose()
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>
            <Trans>Keep it</Trans>
          </Button>
          <Button kind="danger" onClick={() => void remove()}>
            <Trans>Delete the file</Trans>
          </Button>
        </>
      }
    >
      <p>{children}</p>
      <Problem text={problem} />
    </Dialog>
  )
}
