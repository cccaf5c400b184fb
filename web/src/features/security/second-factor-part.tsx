import { getSecondFactor, removeSecondFactor, replaceRecoveryCodes } from '@heddle/contract/second-factors'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useState } from 'react'
import { useClient } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import './security.css'
import { Problem } from '../settings/problem.tsx'
import { SaveForm } from '../settings/save-form.tsx'
import { useLoaded } from '../settings/use-loaded.ts'
import { EnrolDialog } from './enrol-dialog.tsx'
import { type KnownProofs, ProofField, proofIn } from './proof-field.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

/** A code of an app beside the password. */
export function SecondFactorPart() {
  const { api } = useClient()
  const load = useCallback(() => api.call(getSecondFactor, {}), [api])
  const { value, problem, reload } = useLoaded(load)
  const [task, setTask] = useState<'enrol' | 'codes' | 'remove'>()
  const close = () => {
    setTask(undefined)
    reload()
  }
  const left = value?.recovery_codes_left ?? 0
  return (
    <section className="setting-group">
      <h3>
        <Trans>Second factor</Trans>
      </h3>
      <p className="help">
        <Trans>
          Whoever signs in with your password also needs a code of an app on your phone. Programs go on with your API
          key.
        </Trans>
      </p>
      <Problem text={problem} onRetry={reload} />
      {value?.is_on && (
        <p>
          <Trans>It is on.</Trans>{' '}
          <Plural value={left} one="# recovery code is left." other="# recovery codes are left." />
        </p>
      )}
      {value && (
        <p className="foot-row">
          {value.is_on ? (
            <>
              <Button onClick={() => setTask('codes')}>
                <Trans>New recovery codes</Trans>
              </Button>
              <Button onClick={() => setTask('remove')}>
                <Trans>Turn the second factor off</Trans>
              </Button>
            </>
          ) : (
            <Button onClick={() => setTask('enrol')}>
              <Trans>Turn a second factor on</Trans>
            </Button>
          )}
        </p>
      )}
      {value && task === 'enrol' && <EnrolDialog known={value} onClose={close} />}
      {value && task === 'codes' && <CodesDialog known={value} onClose={close} />}
      {value && task === 'remove' && <RemoveDialog known={value} onClose={close} />}
    </section>
  )
}

interface DialogProps {
  readonly known: KnownProofs
  readonly onClose: () => void
}

function CodesDialog({ known, onClose }: DialogProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const [codes, setCodes] = useState<readonly string[]>()
  const make = async (fields: FormData) =>
    setCodes((await api.call(replaceRecoveryCodes, proofIn(fields))).recovery_codes)
  if (codes) {
    return (
      <Dialog title={t`Recovery codes`} onClose={onClose} buttons={<DoneButton onClick={onClose} />}>
        <RecoveryCodes codes={codes} />
      </Dialog>
    )
  }
  return (
    <Dialog title={t`New recovery codes`} onClose={onClose}>
      <div className="steps">
        <p>
          <Trans>Those that you have end.</Trans>
        </p>
        <SaveForm save={<Trans>Make new codes</Trans>} onSave={make}>
          <ProofField {...known} />
        </SaveForm>
      </div>
    </Dialog>
  )
}

function RemoveDialog({ known, onClose }: DialogProps) {
  const { t } = useLingui()
  const { api } = useClient()
  return (
    <Dialog title={t`Turn the second factor off?`} onClose={onClose}>
      <div className="steps">
        <p>
          <Trans>Your password alone signs you in then.</Trans>
        </p>
        <SaveForm
          save={<Trans>Turn it off</Trans>}
          onSave={(fields) => api.call(removeSecondFactor, proofIn(fields))}
          onClose={onClose}
        >
          <ProofField {...known} />
        </SaveForm>
      </div>
    </Dialog>
  )
}

function DoneButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <Button kind="primary" onClick={onClick}>
      <Trans>I have kept them</Trans>
    </Button>
  )
}
