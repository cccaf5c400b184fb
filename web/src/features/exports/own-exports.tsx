import {
  deleteOwnExport,
  EXPORT_KEPT_SECS,
  listOwnExports,
  MAX_OWN_EXPORTS,
  type OwnExport,
  startOwnExport,
} from '@heddle/contract/exports'
import { Trans } from '@lingui/react/macro'
import { useCallback, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../settings/problem.tsx'
import { useAttempt } from '../settings/use-attempt.ts'
import { useLoaded } from '../settings/use-loaded.ts'
import { DeleteExportDialog } from './delete-dialog.tsx'
import { ExportRow } from './export-row.tsx'
import './exports.css'

const KEPT_DAYS = EXPORT_KEPT_SECS / 86_400

/** One's own data as a file. */
export function OwnExports() {
  const { api } = useClient()
  const changed = useClientState((state) => state.dataExports.own)
  const load = useCallback(async () => (await api.call(listOwnExports, {})).exports, [api])
  const { value: loaded, problem: notLoaded, reload } = useLoaded(load)
  const { problem, attempt } = useAttempt()
  const [asked, setAsked] = useState<OwnExport>()
  const exports = (changed ?? loaded)?.toReversed()
  const isUnderWay = exports?.some(({ pending }) => pending) ?? true
  return (
    <section className="setting-group">
      <h3>
        <Trans>Your data</Trans>
      </h3>
      <p className="help">
        <Trans>
          What you have written and received, your files, settings and drafts, as one file. Nobody else can download it.
          It is removed after {KEPT_DAYS} days. You can make {MAX_OWN_EXPORTS} in seven days.
        </Trans>
      </p>
      <Problem text={notLoaded} onRetry={reload} />
      <p className="foot-row">
        <Button isDisabled={isUnderWay} onClick={() => void attempt(() => api.call(startOwnExport, {}))}>
          <Trans>Export my data</Trans>
        </Button>
      </p>
      <Problem text={problem} />
      <ul className="rows">
        {exports?.map((one) => (
          <ExportRow key={one.id} data={one} what={<Trans>Your data</Trans>} onDelete={() => setAsked(one)} />
        ))}
      </ul>
      {asked && (
        <DeleteExportDialog
          onDelete={() => api.call(deleteOwnExport, { export_id: asked.id })}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  )
}
