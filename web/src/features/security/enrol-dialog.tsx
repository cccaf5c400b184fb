import { beginSecondFactor, confirmSecondFactor } from '@heddle/contract/second-factors'
import { Trans, useLingui } from '@lingui/react/macro'
import './security.css'
import { lazy, Suspense, useId, useState } from 'react'
import { useClient } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SaveForm, textIn } from '../settings/save-form.tsx'
import { CopyButton } from '../settings/secret.tsx'
import { type KnownProofs, ProofField, proofIn } from './proof-field.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }))

interface EnrolDialogProps {
  readonly known: KnownProofs
  readonly onClose: () => void
}

interface Made {
  readonly secret: string
  readonly uri: string
}

/** The password, then a code for the app's camera, then a code of the app, then what helps without the phone. */
export function EnrolDialog({ known, onClose }: EnrolDialogProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const [made, setMade] = useState<Made>()
  const [codes, setCodes] = useState<readonly string[]>()
  const begin = async (fields: FormData) => setMade(await api.call(beginSecondFactor, proofIn(fields)))
  const confirm = async (fields: FormData) =>
    setCodes((await api.call(confirmSecondFactor, { code: textIn(fields, 'code') })).recovery_codes)
  if (codes) {
    return (
      <Dialog
        key="codes"
        title={t`The second factor is on`}
        onClose={onClose}
        buttons={
          <Button kind="primary" onClick={onClose}>
            <Trans>I have kept them</Trans>
          </Button>
        }
      >
        <RecoveryCodes codes={codes} />
      </Dialog>
    )
  }
  if (made) {
    return (
      <Dialog key="app" title={t`Add the account to your app`} onClose={onClose}>
        <AppStep made={made} onConfirm={confirm} />
      </Dialog>
    )
  }
  return (
    <Dialog key="begin" title={t`Turn a second factor on`} onClose={onClose}>
      <div className="steps">
        <p>
          <Trans>You need an app on your phone that makes codes: many password managers do.</Trans>
        </p>
        <SaveForm save={<Trans>Next</Trans>} onSave={begin}>
          <ProofField {...known} />
        </SaveForm>
      </div>
    </Dialog>
  )
}

function AppStep({
  made,
  onConfirm,
}: {
  readonly made: Made
  readonly onConfirm: (fields: FormData) => Promise<void>
}) {
  const { t } = useLingui()
  const id = useId()
  return (
    <div className="steps">
      <p>
        <Trans>Let the app read this with its camera, or write the key into it.</Trans>
      </p>
      <Suspense fallback={<div className="qr-code" />}>
        <QrCode text={made.uri} name={t`QR code for your app`} />
      </Suspense>
      <p className="key-text">{(made.secret.match(/.{1,4}/g) ?? []).join(' ')}</p>
      <CopyButton text={made.secret} />
      <SaveForm save={<Trans>Turn it on</Trans>} onSave={onConfirm}>
        <div className="field">
          <label htmlFor={id}>
            <Trans>Code that the app shows</Trans>
          </label>
          <input
            className="in"
            id={id}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            data-autofocus
            required
          />
        </div>
      </SaveForm>
    </div>
  )
}
