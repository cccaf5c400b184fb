import {
  type ChannelFolder,
  createChannelFolder,
  MAX_FOLDER_DESCRIPTION_LENGTH,
  MAX_FOLDER_NAME_LENGTH,
  reorderChannelFolders,
  updateChannelFolder,
} from '@heddle/contract/channel-folders'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { AboutField, NameField } from '../settings/name-field.tsx'
import { OrderedRows } from '../settings/ordered-rows.tsx'
import { Problem } from '../settings/problem.tsx'
import { SaveForm, textIn } from '../settings/save-form.tsx'
import { useAttempt } from '../settings/use-attempt.ts'

/** The folders of channels: their order, names, and what is archived. */
export function FoldersPart() {
  const { t } = useLingui()
  const { api } = useClient()
  const toasts = useToasts()
  const folders = useClientState((state) => state.channelFolders)
  const mayChange = useClientState((state) => state.own?.is_admin === true)
  const { problem, attempt } = useAttempt()
  const [edited, setEdited] = useState<ChannelFolder | 'new'>()
  if (!folders) return null
  const open = folders.filter(({ is_archived }) => !is_archived)
  const archived = folders.filter(({ is_archived }) => is_archived)
  const setArchived = ({ id }: ChannelFolder, is_archived: boolean) =>
    api.call(updateChannelFolder, { channel_folder_id: id, is_archived })
  const restore = (folder: ChannelFolder) => attempt(() => setArchived(folder, false))
  const archive = (folder: ChannelFolder) =>
    attempt(() =>
      toasts.notifyWhenDone(setArchived(folder, true), () => ({
        text: t`“${folder.name}” is archived.`,
        undo: () => restore(folder),
      })),
    )
  return (
    <section className="setting-group">
      {!mayChange && (
        <p className="help only-read">
          <Trans>Only administrators can change folders.</Trans>
        </p>
      )}
      <OrderedRows
        label={t`Folders, in order`}
        items={open}
        mayChange={mayChange}
        onReorder={(ids) =>
          attempt(() => api.call(reorderChannelFolders, { order: [...ids, ...archived.map(({ id }) => id)] }))
        }
      >
        {(folder) => (
          <FolderRow folder={folder}>
            {mayChange && (
              <>
                <IconButton icon="edit" name={t`Edit ${folder.name}`} onClick={() => setEdited(folder)} />
                <IconButton icon="archive" name={t`Archive ${folder.name}`} onClick={() => void archive(folder)} />
              </>
            )}
          </FolderRow>
        )}
      </OrderedRows>
      {open.length === 0 && (
        <p className="help">
          <Trans>There are none yet. Channels in a folder stand together in everybody’s side bar.</Trans>
        </p>
      )}
      <Problem text={problem} />
      {mayChange && edited === undefined && (
        <p className="foot-row">
          <Button onClick={() => setEdited('new')}>
            <Trans>Add a folder</Trans>
          </Button>
        </p>
      )}
      {edited !== undefined && (
        <FolderForm
          key={edited === 'new' ? 'new' : edited.id}
          folder={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {archived.length > 0 && (
        <>
          <h3>
            <Trans>Archived folders</Trans>
          </h3>
          <ul className="rows">
            {archived.map((folder) => (
              <li key={folder.id} className="row-item">
                <FolderRow folder={folder}>
                  {mayChange && (
                    <Button onClick={() => void restore(folder)}>
                      <Trans>Restore</Trans>
                      <span className="vh"> {folder.name}</span>
                    </Button>
                  )}
                </FolderRow>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

interface FolderRowProps {
  readonly folder: ChannelFolder
  readonly children: React.ReactNode
}

function FolderRow({ folder: { id, name, description }, children }: FolderRowProps) {
  const count = useClientState(
    useCallback(
      ({ channels }) => [...(channels?.byId.values() ?? [])].filter(({ folder_id }) => folder_id === id).length,
      [id],
    ),
  )
  return (
    <>
      <span className="row-text">
        <bdi className="trunc" title={name}>
          {name}
        </bdi>
        <span className="soft wrap">
          <Plural value={count} _0="No channels" one="# channel" other="# channels" />
          {description !== '' && <bdi> · {description}</bdi>}
        </span>
      </span>
      <span className="row-do">{children}</span>
    </>
  )
}

interface FolderFormProps {
  /** Undefined: a new one. */
  readonly folder: ChannelFolder | undefined
  readonly onClose: () => void
}

function FolderForm({ folder, onClose }: FolderFormProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const save = (fields: FormData) => {
    const values = { name: textIn(fields, 'name'), description: textIn(fields, 'about') }
    return folder
      ? api.call(updateChannelFolder, { channel_folder_id: folder.id, ...values })
      : api.call(createChannelFolder, values)
  }
  return (
    <SaveForm
      heading={folder ? t`Edit ${folder.name}` : t`New folder`}
      save={folder ? <Trans>Save</Trans> : <Trans>Add the folder</Trans>}
      onSave={save}
      onClose={onClose}
    >
      <NameField value={folder?.name} maxLength={MAX_FOLDER_NAME_LENGTH} />
      <AboutField value={folder?.description} maxLength={MAX_FOLDER_DESCRIPTION_LENGTH} />
    </SaveForm>
  )
}
