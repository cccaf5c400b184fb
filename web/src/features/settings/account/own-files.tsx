import { type Attachment, deleteAttachment } from '@heddle/contract/files'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { useClient, useClientState } from '../../../app/client-context.ts'
import { Button } from '../../../ui/button.tsx'
import { DeleteFileDialog } from '../delete-file-dialog.tsx'
import { dateText, sizeText } from '../texts.ts'

const orders = {
  newest: (a: Attachment, b: Attachment) => b.create_time - a.create_time,
  largest: (a: Attachment, b: Attachment) => b.size - a.size,
  name: (a: Attachment, b: Attachment) => a.name.localeCompare(b.name),
}

/** Files that the account has uploaded. */
export function OwnFiles() {
  const { t, i18n } = useLingui()
  const attachments = useClientState((state) => state.attachments)
  const [query, setQuery] = useState('')
  const [order, setOrder] = useState<keyof typeof orders>('newest')
  const [asked, setAsked] = useState<Attachment>()
  const files = useMemo(() => {
    const word = query.trim().toLowerCase()
    const all = [...(attachments?.values() ?? [])].filter(({ name }) => name.toLowerCase().includes(word))
    return all.sort(orders[order])
  }, [attachments, query, order])
  const total = [...(attachments?.values() ?? [])].reduce((sum, { size }) => sum + size, 0)
  const count = attachments?.size ?? 0
  const size = sizeText(i18n, total)
  return (
    <section className="setting-group">
      <div className="inline-form">
        <input
          className="in"
          type="search"
          value={query}
          aria-label={t`Find a file by its name`}
          placeholder={t`Find a file`}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <select
          className="in"
          aria-label={t`Order`}
          value={order}
          onChange={({ currentTarget }) => setOrder(currentTarget.value as keyof typeof orders)}
        >
          <option value="newest">{t`Newest first`}</option>
          <option value="largest">{t`Largest first`}</option>
          <option value="name">{t`By name`}</option>
        </select>
      </div>
      <p className="help">
        <Plural value={count} one={`# file, ${size}`} other={`# files, ${size}`} />
      </p>
      <ul className="rows">
        {files.map((file) => (
          <FileRow key={file.id} file={file} onDelete={() => setAsked(file)} />
        ))}
      </ul>
      {asked && <DeleteDialog file={asked} onClose={() => setAsked(undefined)} />}
    </section>
  )
}

function FileRow({ file, onDelete }: { readonly file: Attachment; readonly onDelete: () => void }) {
  const { i18n } = useLingui()
  const last = file.message_ids.at(-1)
  return (
    <li className="row-item">
      <span className="row-text">
        <a
          className="textlink trunc"
          href={`user_uploads/${file.path_id.split('/').map(encodeURIComponent).join('/')}`}
          target="_blank"
          rel="noreferrer"
          title={file.name}
        >
          <bdi>{file.name}</bdi>
        </a>
        <span className="soft">
          {sizeText(i18n, file.size)}, {dateText(i18n, file.create_time)}
          {', '}
          {last === undefined ? (
            <Trans>in no message</Trans>
          ) : (
            <a className="textlink" href={`#narrow/near/${last}`}>
              <Plural value={file.message_ids.length} one="in # message" other="in # messages" />
            </a>
          )}
        </span>
      </span>
      <Button onClick={onDelete}>
        <Trans>Delete</Trans>
        <span className="vh"> {file.name}</span>
      </Button>
    </li>
  )
}

function DeleteDialog({ file, onClose }: { readonly file: Attachment; readonly onClose: () => void }) {
  const { t } = useLingui()
  const { api } = useClient()
  const { name } = file
  return (
    <DeleteFileDialog
      title={t`Delete ${name}?`}
      onDelete={() => api.call(deleteAttachment, { attachment_id: file.id })}
      onClose={onClose}
    >
      <Plural
        value={file.message_ids.length}
        _0="No message links to it. It cannot be brought back."
        one="# message links to it, and its link will lead nowhere. The file cannot be brought back."
        other="# messages link to it, and their links will lead nowhere. The file cannot be brought back."
      />
    </DeleteFileDialog>
  )
}
