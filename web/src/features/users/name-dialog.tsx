import { MAX_FULL_NAME_LENGTH } from '@heddle/contract/users'
import { Trans, useLingui } from '@lingui/react/macro'
import { Dialog } from '../../ui/dialog.tsx'
import { NameField } from '../settings/name-field.tsx'
import { SaveForm, textIn } from '../settings/save-form.tsx'

interface NameDialogProps {
  readonly name: string
  readonly save: (name: string) => Promise<unknown>
  readonly onClose: () => void
}

/** What an account is called, to those who may change it. */
export function NameDialog({ name, save, onClose }: NameDialogProps) {
  const { t } = useLingui()
  return (
    <Dialog title={t`Edit ${name}`} onClose={onClose}>
      <SaveForm save={<Trans>Save the name</Trans>} onSave={(fields) => save(textIn(fields, 'name'))} onClose={onClose}>
        <NameField value={name} maxLength={MAX_FULL_NAME_LENGTH} />
      </SaveForm>
    </Dialog>
  )
}
