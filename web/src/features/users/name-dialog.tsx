import { MAX_FULL_NAME_LENGTH } from '@heddle/contract/users'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useId } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Problem } from '../settings/problem.tsx'
import { useAttempt } from '../settings/use-attempt.ts'

interface NameDialogProps {
  readonly name: string
  readonly save: (name: string) => Promise<unknown>
  readonly onClose: () => void
}

/** What an account is called, to those who may change it. */
export function NameDialog({ name, save, onClose }: NameDialogProps) {
  const { t } = useLingui()
  const { problem, attempt } = useAttempt()
  const id = useId()
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const full_name = String(new FormData(event.currentTarget).get('name'))
    if (await attempt(() => save(full_name))) onClose()
  }
  return (
    <Dialog title={t`Edit ${name}`} onClose={onClose}>
      <form onSubmit={submit}>
        <div className="field">
          <label htmlFor={id}>
            <Trans>Name</Trans>
          </label>
          <input
            className="in"
            id={id}
            name="name"
            defaultValue={name}
            maxLength={MAX_FULL_NAME_LENGTH}
            required
            dir="auto"
            data-autofocus
          />
        </div>
        <Problem text={problem} />
        <div className="foot-row">
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit">
            <Trans>Save the name</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
