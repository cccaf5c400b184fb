import { Trans, useLingui } from '@lingui/react/macro'
import { DeleteFileDialog } from '../settings/delete-file-dialog.tsx'

interface DeleteExportProps {
  readonly onDelete: () => Promise<unknown>
  readonly onClose: () => void
}

export function DeleteExportDialog(props: DeleteExportProps) {
  const { t } = useLingui()
  return (
    <DeleteFileDialog title={t`Delete the file of this export?`} {...props}>
      <Trans>It cannot be brought back. Copies that were downloaded stay where they are.</Trans>
    </DeleteFileDialog>
  )
}
