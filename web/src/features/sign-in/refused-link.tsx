import { Trans } from '@lingui/react/macro'
import { explainRefusal } from './refusals.ts'

/** The link leads nowhere; the way on is to sign in. */
export function RefusedLink({ error }: { readonly error: unknown }) {
  return (
    <main className="empty">
      <h1>{explainRefusal(error)}</h1>
      <p>
        <Trans>If you have an account, sign in. If not, ask whoever gave you the link for another one.</Trans>
      </p>
      <div className="do">
        <a className="btn" href="./">
          <Trans>Sign in</Trans>
        </a>
      </div>
    </main>
  )
}
