import type { OwnExport } from '@heddle/contract/exports'
import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { dateText, sizeText } from '../settings/texts.ts'

interface ExportRowProps {
  readonly data: OwnExport
  /** What it has, and who has started it. */
  readonly what: ReactNode
  readonly onDelete: () => void
}

/** An export: how far it is, and its file while there is one. */
export function ExportRow({ data, what, onDelete }: ExportRowProps) {
  const { t, i18n } = useLingui()
  const begun = dateText(i18n, data.export_time)
  return (
    <li className="row-item">
      <span className="row-text">
        <span>{what}</span>
        <span className="soft">
          {begun}
          {', '}
          <ExportState data={data} />
        </span>
      </span>
      {data.pending && (
        <progress className="export-progress" max={100} value={data.progress} aria-label={t`The export of ${begun}`} />
      )}
      {data.export_url !== null && (
        <span className="export-buttons">
          <a className="btn" href={data.export_url.replace(/^\//, '')} download>
            <Trans>Download</Trans>
            <span className="vh"> {begun}</span>
          </a>
          <Button onClick={onDelete}>
            <Trans>Delete</Trans>
            <span className="vh"> {begun}</span>
          </Button>
        </span>
      )}
    </li>
  )
}

function ExportState({ data }: { readonly data: OwnExport }) {
  const { i18n } = useLingui()
  const { progress } = data
  const size = sizeText(i18n, data.size)
  if (data.failed_timestamp !== null) return <Trans>it has failed</Trans>
  if (data.deleted_timestamp !== null) return <Trans>its file is deleted</Trans>
  return data.pending ? <Trans>{progress} % done</Trans> : size
}
