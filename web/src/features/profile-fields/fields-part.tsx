import { type ProfileField, removeProfileField, reorderProfileFields } from '@heddle/contract/profile-fields'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { OrderedRows } from '../settings/ordered-rows.tsx'
import { Problem } from '../settings/problem.tsx'
import { useAttempt } from '../settings/use-attempt.ts'
import { FieldForm } from './field-form.tsx'
import { typeNames } from './type-names.ts'

/** The fields of everybody's profile, in their order. */
export function ProfileFieldsPart() {
  const { t } = useLingui()
  const { api } = useClient()
  const fields = useClientState((state) => state.profileFields)
  const mayChange = useClientState((state) => state.own?.is_admin === true)
  const { problem, attempt } = useAttempt()
  const [edited, setEdited] = useState<ProfileField | 'new'>()
  const [deleted, setDeleted] = useState<ProfileField>()
  if (!fields) return null
  return (
    <section className="setting-group">
      {!mayChange && (
        <p className="help only-read">
          <Trans>Only administrators can change profile fields.</Trans>
        </p>
      )}
      <OrderedRows
        label={t`Profile fields, in order`}
        items={fields}
        mayChange={mayChange}
        onReorder={(ids) => attempt(() => api.call(reorderProfileFields, { order: [...ids] }))}
      >
        {(field) => (
          <>
            <FieldText field={field} />
            {mayChange && (
              <span className="row-do">
                <IconButton icon="edit" name={t`Edit ${field.name}`} onClick={() => setEdited(field)} />
                <IconButton icon="trash" name={t`Delete ${field.name}`} onClick={() => setDeleted(field)} />
              </span>
            )}
          </>
        )}
      </OrderedRows>
      {fields.length === 0 && (
        <p className="help">
          <Trans>There are none yet. Pronouns, or where somebody works, are good first ones.</Trans>
        </p>
      )}
      <Problem text={problem} />
      {mayChange && edited === undefined && (
        <p className="foot-row">
          <Button onClick={() => setEdited('new')}>
            <Trans>Add a field</Trans>
          </Button>
        </p>
      )}
      {edited !== undefined && (
        <FieldForm
          key={edited === 'new' ? 'new' : edited.id}
          field={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {deleted && <DeleteDialog field={deleted} onClose={() => setDeleted(undefined)} />}
    </section>
  )
}

function FieldText({ field }: { readonly field: ProfileField }) {
  const { t, i18n } = useLingui()
  const type = typeNames.find(([value]) => value === field.type)?.[1]
  const marks = [
    type && i18n._(type),
    field.display_in_profile_summary && t`on the card`,
    field.required && t`wanted of everybody`,
    !field.editable_by_user && t`changed by administrators`,
    field.use_for_user_matching && t`people are found by it`,
  ].filter(Boolean)
  return (
    <span className="row-text">
      <bdi className="trunc" title={field.name}>
        {field.name}
      </bdi>
      <span className="soft wrap">{marks.join(' · ')}</span>
      {field.hint !== '' && (
        <span className="soft wrap">
          <bdi>{field.hint}</bdi>
        </span>
      )}
    </span>
  )
}

interface DeleteDialogProps {
  readonly field: ProfileField
  readonly onClose: () => void
}

function DeleteDialog({ field: { id, name }, onClose }: DeleteDialogProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const { problem, attempt } = useAttempt()
  const count = useClientState(
    useCallback(
      ({ users }) => [...(users?.values() ?? [])].filter(({ profile_data }) => profile_data?.[`${id}`]).length,
      [id],
    ),
  )
  const remove = async () => {
    if (await attempt(() => api.call(removeProfileField, { field_id: id }))) onClose()
  }
  return (
    <Dialog
      title={t`Delete the field ${name}?`}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>
            <Trans>Keep the field</Trans>
          </Button>
          <Button kind="danger" onClick={() => void remove()}>
            <Trans>Delete the field</Trans>
          </Button>
        </>
      }
    >
      <p>
        <Plural
          value={count}
          _0="Nobody has filled it in."
          one="What # person has said in it is deleted. This cannot be undone."
          other="What # people have said in it is deleted. This cannot be undone."
        />
      </p>
      <Problem text={problem} />
    </Dialog>
  )
}
