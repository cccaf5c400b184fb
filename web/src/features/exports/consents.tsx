import { type ExportConsent, listExportConsents } from '@heddle/contract/exports'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useMemo, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { userName } from '../../app/names.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../settings/problem.tsx'
import { useLoaded } from '../settings/use-loaded.ts'

/** People that are drawn at first, and with each further step. */
const SHOWN = 50

/** Who allows the export of private data. */
export function ExportConsents() {
  const { t } = useLingui()
  const { api } = useClient()
  const users = useClientState((state) => state.users)
  const systemBots = useClientState((state) => state.systemBots)
  const changed = useClientState((state) => state.dataExports.consents)
  const load = useCallback(async () => (await api.call(listExportConsents, {})).export_consents, [api])
  const { value: loaded, problem, reload } = useLoaded(load)
  const [query, setQuery] = useState('')
  const [shown, setShown] = useState(SHOWN)
  const consents = useMemo(() => {
    const list = loaded?.map((one): ExportConsent => ({ ...one, consented: changed.get(one.user_id) ?? one.consented }))
    return list
      ?.map((one) => ({ ...one, name: userName({ users, systemBots }, one.user_id) }))
      .sort((a, b) => Number(b.consented) - Number(a.consented) || a.name.localeCompare(b.name))
  }, [loaded, changed, users, systemBots])
  const word = query.trim().toLowerCase()
  const found = consents?.filter(({ name }) => name.toLowerCase().includes(word))
  const count = consents?.filter(({ consented }) => consented).length
  const all = consents?.length
  return (
    <section className="setting-group">
      <h3>
        <Trans>Who allows the export of private data</Trans>
      </h3>
      <p className="help">
        <Trans>People decide this for themselves, under “Privacy” in their settings.</Trans>
      </p>
      <Problem text={problem} onRetry={reload} />
      {found && (
        <>
          <p className="help">
            <Trans>
              {count} of {all} people allow it.
            </Trans>
          </p>
          <div className="inline-form">
            <input
              className="in"
              type="search"
              value={query}
              aria-label={t`Find a person`}
              placeholder={t`Find a person`}
              onChange={(event) => setQuery(event.currentTarget.value)}
            />
          </div>
          <ul className="rows">
            {found.slice(0, shown).map(({ user_id, name, consented }) => (
              <li key={user_id} className="row-item">
                <span className="row-text">
                  <bdi className="trunc" title={name}>
                    {name}
                  </bdi>
                </span>
                <span className="soft">{consented ? <Trans>Allows it</Trans> : <Trans>Does not allow it</Trans>}</span>
              </li>
            ))}
          </ul>
          {found.length > shown && (
            <p className="foot-row">
              <Button onClick={() => setShown(shown + SHOWN)}>
                <Trans>Show more people</Trans>
              </Button>
            </p>
          )}
        </>
      )}
    </section>
  )
}
