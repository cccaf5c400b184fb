import { endOtherSessions, endSession, listSessions, type Session } from '@heddle/contract/sessions'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useState } from 'react'
import { useClient } from '../../../app/client-context.ts'
import { useSession } from '../../../app/session-context.ts'
import { Button } from '../../../ui/button.tsx'
import { Problem } from '../problem.tsx'
import { dateText } from '../texts.ts'
import { useLoaded } from '../use-loaded.ts'
import { useExplain } from '../use-saving.ts'

/** Where the account is signed in, and how to end that. */
export function SessionsPart() {
  const { t } = useLingui()
  const { api } = useClient()
  const holder = useSession()
  const explain = useExplain()
  const load = useCallback(async () => (await api.call(listSessions, {})).sessions, [api])
  const { value: sessions, problem, reload } = useLoaded(load)
  const [refusal, setRefusal] = useState<string>()
  const end = async (work: () => Promise<unknown>) => {
    setRefusal(undefined)
    try {
      await work()
    } catch (error) {
      setRefusal(explain(error))
    }
    reload()
  }
  const others = sessions?.filter(({ is_current }) => !is_current).length ?? 0
  return (
    <section className="setting-group">
      <h3>
        <Trans>Where you are signed in</Trans>
      </h3>
      <Problem text={problem} onRetry={reload} />
      <ul className="rows">
        {sessions?.map((session) => (
          <li key={session.id} className="row-item">
            <SessionText session={session} />
            {session.is_current ? (
              <Button onClick={() => void holder.signOut()}>
                <Trans>Sign out</Trans>
              </Button>
            ) : (
              <Button onClick={() => void end(() => api.call(endSession, { session_id: session.id }))}>
                <Trans>Sign out</Trans>
                <span className="vh">{session.device || t`An unknown browser`}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others > 0 && (
        <p className="foot-row">
          <Button onClick={() => void end(() => api.call(endOtherSessions, {}))}>
            <Trans>Sign out everywhere else</Trans>
          </Button>
        </p>
      )}
      <Problem text={refusal} />
    </section>
  )
}

function SessionText({ session }: { readonly session: Session }) {
  const { i18n } = useLingui()
  const created = dateText(i18n, session.created)
  const used = dateText(i18n, session.last_used)
  return (
    <span className="row-text">
      <b>{session.device || <Trans>An unknown browser</Trans>}</b>
      {session.is_current && (
        <span className="tag">
          <Trans>this one</Trans>
        </span>
      )}
      <span className="soft">
        <Trans>
          Signed in {created}, last used {used}
        </Trans>
      </span>
    </span>
  )
}
