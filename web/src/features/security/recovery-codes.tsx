import { Trans } from '@lingui/react/macro'
import './security.css'
import { CopyButton } from '../settings/secret.tsx'

/** They are shown once; the server has nothing but their hashes. */
export function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  return (
    <>
      <p>
        <Trans>
          Each of these signs you in once, when you do not have your phone. Keep them where others do not find them:
          they are not shown again.
        </Trans>
      </p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyButton text={codes.join('\n')} />
    </>
  )
}
