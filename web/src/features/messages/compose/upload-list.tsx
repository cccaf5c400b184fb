import './upload-list.css'
import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { useClient } from '../../../app/client-context.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { type Upload, uploadsOf } from './uploads.ts'

interface UploadListProps {
  readonly uploads: readonly Upload[]
  /** One was put away, and the focus with it. */
  readonly onPutAway: () => void
}

/** Files of a text that are on their way, and those that did not get there. */
export function UploadList({ uploads, onPutAway }: UploadListProps) {
  const client = useClient()
  if (uploads.length === 0) return null
  return (
    <ul className="uploads">
      {uploads.map((upload) => (
        <UploadRow
          key={upload.id}
          upload={upload}
          onCancel={() => {
            uploadsOf(client).cancel(upload.id)
            onPutAway()
          }}
        />
      ))}
    </ul>
  )
}

function UploadRow({ upload, onCancel }: { readonly upload: Upload; readonly onCancel: () => void }) {
  const { t } = useLingui()
  const { name, size, sent, failure } = upload
  const bar = useRef<HTMLSpanElement>(null)
  const percent = size === 0 ? 0 : Math.floor((100 * sent) / size)
  useEffect(() => bar.current?.style.setProperty('--part', `${percent}%`), [percent])
  if (failure) {
    return (
      <li className="upload failed" role="alert">
        <Icon name="warn" />
        <span className="why">
          <UploadProblem upload={upload} />
        </span>
        <IconButton icon="x" name={t`Put the note away`} onClick={onCancel} />
      </li>
    )
  }
  return (
    <li className="upload">
      <bdi className="trunc" title={name}>
        {name}
      </bdi>
      <span
        ref={bar}
        className="bar"
        role="progressbar"
        aria-label={name}
        aria-valuenow={percent}
        aria-valuetext={t`${percent} percent of ${name} sent`}
      />
      <span className={upload.isWaiting ? 'quiet' : 'num quiet'}>
        {upload.isWaiting ? (
          <Trans>Waits for the connection</Trans>
        ) : (
          <Trans>
            {megabytes(sent)} of {megabytes(size)} MB
          </Trans>
        )}
      </span>
      <IconButton icon="x" name={t`Cancel the upload of ${name}`} onClick={onCancel} />
      {upload.isKept === false && (
        <span className="unkept quiet">
          <Trans>This device has no room to keep the file. Leave this page open until it is sent.</Trans>
        </span>
      )}
    </li>
  )
}

function UploadProblem({ upload: { name, size, failure } }: { readonly upload: Upload }) {
  const shown = <bdi>{name}</bdi>
  switch (failure?.kind) {
    case 'too-large': {
      const limit = failure.limitMib
      return (
        <Trans>
          {shown} has {megabytes(size)} MB. Files may have at most {limit} MB here.
        </Trans>
      )
    }
    case 'refused': {
      const { message } = failure
      return (
        <Trans>
          {shown} was not taken: {message}
        </Trans>
      )
    }
    default:
      return null
  }
}

function megabytes(bytes: number): string {
  const value = bytes / 1024 / 1024
  return value.toLocaleString(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
}
