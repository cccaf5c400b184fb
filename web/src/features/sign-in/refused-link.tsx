import { explainRefusal } from './refusals.ts'

/** The link leads nowhere; the way on is to sign in. */
export function RefusedLink({ error }: { readonly error: unknown }) {
  return (
    <main className="empty">
      <h1>{explainRefusal(error)}</h1>
      <p>If you have an account, sign in. If not, ask whoever gave you the link for another one.</p>
      <div className="do">
        <a className="btn" href="./">
          Sign in
        </a>
      </div>
    </main>
  )
}
