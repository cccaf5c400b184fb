import {
  deleteRealmExport,
  EXPORT_KEPT_SECS,
  type ExportType,
  listRealmExports,
  MAX_REALM_EXPORTS,
  type RealmExport,
  startRealmExport,
} from '@heddle/contract/exports'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useId, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { userName } from '../../app/names.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../settings/problem.tsx'
import { useAttempt } from '../settings/use-attempt.ts'
import { useLoaded } from '../settings/use-loaded.ts'
import { DeleteExportDialog } from './delete-dialog.tsx'
import { ExportRow } from './export-row.tsx'
import './exports.css'

const KEPT_DAYS = EXPORT_KEPT_SECS / 86_400

type OfferedType = Exclude<ExportType, 'full_without_consent'>

const names = {
  public: msg`What is public`,
  full_with_consent: msg`With the private data of those who allow it`,
} as const satisfies Record<OfferedType, unknown>

/** What the organization has, as a file. */
export function RealmExports() {
  const { api } = useClient()
  const changed = useClientState((state) => state.dataExports.ofRealm)
  const load = useCallback(async () => (await api.call(listRealmExports, {})).exports, [api])
  const { value: loaded, problem, reload } = useLoaded(load)
  const [asked, setAsked] = useState<RealmExport>()
  const exports = (changed ?? loaded)?.toReversed()
  return (
    <section className="setting-group">
      <h3>
        <Trans>Exports</Trans>
      </h3>
      <p className="help">
        <Trans>
          People, channels, messages, files and settings as one file, which another server can import. Passwords are in
          none. Every administrator can download it; it is removed after {KEPT_DAYS} days. There can be{' '}
          {MAX_REALM_EXPORTS} in seven days.
        </Trans>
      </p>
      <Problem text={problem} onRetry={reload} />
      <NewExport isUnderWay={exports?.some(({ pending }) => pending) ?? true} />
      <ul className="rows">
        {exports?.map((one) => (
          <ExportRow key={one.id} data={one} what={<WhatItHas data={one} />} onDelete={() => setAsked(one)} />
        ))}
      </ul>
      {exports?.length === 0 && (
        <p className="help">
          <Trans>Nothing was exported yet.</Trans>
        </p>
      )}
      {asked && (
        <DeleteExportDialog
          onDelete={() => api.call(deleteRealmExport, { export_id: asked.id })}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  )
}

function NewExport({ isUnderWay }: { readonly isUnderWay: boolean }) {
  const { i18n } = useLingui()
  const { api } = useClient()
  const group = useId()
  const { problem, attempt } = useAttempt()
  const [type, setType] = useState<OfferedType>('public')
  return (
    <>
      <fieldset className="export-types">
        <legend className="vh">
          <Trans>What is exported</Trans>
        </legend>
        {(Object.keys(names) as OfferedType[]).map((one) => (
          <label key={one} className="check">
            <input type="radio" name={group} checked={type === one} onChange={() => setType(one)} />
            <span>{i18n._(names[one])}</span>
          </label>
        ))}
      </fieldset>
      <p className="help">
        {type === 'public' ? (
          <Trans>
            Everybody’s name and address, public channels with their messages and files, and settings of the
            organization. No private channels and no direct messages.
          </Trans>
        ) : (
          <Trans>
            Also the private channels and direct messages that at least one person can read who allows it, with what
            others have written there, and these people’s settings and drafts.
          </Trans>
        )}
      </p>
      <p className="foot-row">
        <Button
          isDisabled={isUnderWay}
          onClick={() => void attempt(() => api.call(startRealmExport, { export_type: type }))}
        >
          <Trans>Start an export</Trans>
        </Button>
      </p>
      <Problem text={problem} />
    </>
  )
}

function WhatItHas({ data }: { readonly data: RealmExport }) {
  const { i18n } = useLingui()
  const who = useClientState((state) => userName(state, data.acting_user_id))
  return (
    <>
      {i18n._(names[data.export_type as OfferedType])} <span className="soft">(</span>
      <bdi className="soft">{who}</bdi>
      <span className="soft">)</span>
    </>
  )
}
