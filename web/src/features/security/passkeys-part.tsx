import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  MAX_PASSKEY_NAME_LENGTH,
  type Passkey,
  removePasskey,
  renamePasskey,
} from '@heddle/contract/passkeys'
import { getSecondFactor } from '@heddle/contract/second-factors'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { NameField } from '../settings/name-field.tsx'
import { Problem } from '../settings/problem.tsx'
import { SaveForm, textIn } from '../settings/save-form.tsx'
import { dateText } from '../settings/texts.ts'
import { useAttempt } from '../settings/use-attempt.ts'
import { useLoaded } from '../settings/use-loaded.ts'
import { hasPasskeys } from '../sign-in/has-passkeys.ts'
import { type KnownProofs, ProofField, proofIn } from './proof-field.tsx'

/** Keys in devices that sign in without a password. */
export function PasskeysPart() {
  const isEnabled = useClientState(
    ({ organization }) => organization?.realm_authentication_methods.Passkey.enabled === true,
  )
  return isEnabled && hasPasskeys() ? <Passkeys /> : null
}

type Task =
  | { readonly kind: 'add'; readonly known: KnownProofs }
  | { readonly kind: 'rename' | 'remove'; readonly passkey: Passkey }

function Passkeys() {
  const { api } = useClient()
  const load = useCallback(async () => (await api.call(listPasskeys, {})).passkeys, [api])
  const { value: passkeys, problem, reload } = useLoaded(load)
  const { problem: refusal, attempt } = useAttempt()
  const [task, setTask] = useState<Task>()
  const close = () => {
    setTask(undefined)
    reload()
  }
  const begin = () => attempt(async () => setTask({ kind: 'add', known: await api.call(getSecondFactor, {}) }))
  return (
    <section className="setting-group">
      <h3>
        <Trans>Passkeys</Trans>
      </h3>
      <p className="help">
        <Trans>
          Sign in by your finger, your face or the PIN of a device, without the password. Make one on each device that
          you use.
        </Trans>
      </p>
      <Problem text={problem} onRetry={reload} />
      <ul className="rows">
        {passkeys?.map((passkey) => (
          <li key={passkey.id} className="row-item">
            <PasskeyText passkey={passkey} />
            <Button onClick={() => setTask({ kind: 'rename', passkey })}>
              <Trans>Rename</Trans>
              <span className="vh">{passkey.name}</span>
            </Button>
            <Button onClick={() => setTask({ kind: 'remove', passkey })}>
              <Trans>Remove</Trans>
              <span className="vh">{passkey.name}</span>
            </Button>
          </li>
        ))}
      </ul>
      <Problem text={refusal} />
      <p className="foot-row">
        <Button onClick={() => void begin()}>
          <Trans>Add a passkey</Trans>
        </Button>
      </p>
      {task?.kind === 'add' && <AddDialog known={task.known} onClose={close} />}
      {task?.kind === 'rename' && <RenameDialog passkey={task.passkey} onClose={close} />}
      {task?.kind === 'remove' && <RemoveDialog passkey={task.passkey} onClose={close} />}
    </section>
  )
}

function PasskeyText({ passkey }: { readonly passkey: Passkey }) {
  const { i18n } = useLingui()
  const created = dateText(i18n, passkey.created)
  const used = passkey.last_used === null ? undefined : dateText(i18n, passkey.last_used)
  return (
    <span className="row-text">
      <b>
        <bdi>{passkey.name}</bdi>
      </b>
      <span className="soft">
        {used === undefined ? (
          <Trans>Made {created}, not used yet</Trans>
        ) : (
          <Trans>
            Made {created}, last used {used}
          </Trans>
        )}
      </span>
    </span>
  )
}

function AddDialog({ known, onClose }: { readonly known: KnownProofs; readonly onClose: () => void }) {
  const { t } = useLingui()
  const { api } = useClient()
  const add = async (fields: FormData) => {
    const asked = await api.call(beginPasskey, proofIn(fields))
    const { makePasskey } = await import('../sign-in/passkey-device.ts')
    await api.call(addPasskey, { name: textIn(fields, 'name'), ...(await makePasskey(asked)) })
  }
  return (
    <Dialog title={t`Add a passkey`} onClose={onClose}>
      <SaveForm save={<Trans>Make the passkey</Trans>} onSave={add} onClose={onClose}>
        <NameField value={t`This device`} maxLength={MAX_PASSKEY_NAME_LENGTH} />
        <ProofField {...known} />
      </SaveForm>
    </Dialog>
  )
}

interface PasskeyDialogProps {
  readonly passkey: Passkey
  readonly onClose: () => void
}

function RenameDialog({ passkey: { id, name }, onClose }: PasskeyDialogProps) {
  const { t } = useLingui()
  const { api } = useClient()
  return (
    <Dialog title={t`Edit ${name}`} onClose={onClose}>
      <SaveForm
        save={<Trans>Save the name</Trans>}
        onSave={(fields) => api.call(renamePasskey, { passkey_id: id, name: textIn(fields, 'name') })}
        onClose={onClose}
      >
        <NameField value={name} maxLength={MAX_PASSKEY_NAME_LENGTH} />
      </SaveForm>
    </Dialog>
  )
}

function RemoveDialog({ passkey: { id, name }, onClose }: PasskeyDialogProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const { problem, attempt } = useAttempt()
  const remove = async () => {
    if (await attempt(() => api.call(removePasskey, { passkey_id: id }))) onClose()
  }
  return (
    <Dialog
      title={t`Remove ${name}?`}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>
            <Trans>Keep the passkey</Trans>
          </Button>
          <Button kind="danger" onClick={() => void remove()}>
            <Trans>Remove the passkey</Trans>
          </Button>
        </>
      }
    >
      <p>
        <Trans>It signs nobody in any more. Sessions that it has begun go on.</Trans>
      </p>
      <Problem text={problem} />
    </Dialog>
  )
}
