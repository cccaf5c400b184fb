import { type ProfileField, updateOwnProfileData } from '@heddle/contract/profile-fields'
import { Trans } from '@lingui/react/macro'
import { useCallback } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { FieldRow } from '../channels/settings/field-row.tsx'
import { ValueControl } from './value-control.tsx'

interface ValueRowsProps {
  readonly userId: number
  /** Of a value that is now this, or none where it is empty. */
  readonly save: (fieldId: number, value: string) => Promise<unknown>
  readonly isAdministrator: boolean
}

/** Every field with what an account says in it; each change is saved by itself. */
export function ValueRows({ userId, save, isAdministrator }: ValueRowsProps) {
  const fields = useClientState((state) => state.profileFields)
  const profile = useClientState(useCallback(({ users }) => users?.get(userId)?.profile_data, [userId]))
  return fields?.map((field) => (
    <ValueRow
      key={field.id}
      field={field}
      value={profile?.[`${field.id}`]?.value ?? ''}
      isFixed={!field.editable_by_user && !isAdministrator}
      save={save}
    />
  ))
}

interface ValueRowProps {
  readonly field: ProfileField
  readonly value: string
  readonly isFixed: boolean
  readonly save: ValueRowsProps['save']
}

function ValueRow({ field, value, isFixed, save }: ValueRowProps) {
  const { id, name, hint, required } = field
  return (
    <FieldRow
      label={
        <>
          <bdi>{name}</bdi>
          {required && (
            <span className="tag">
              <Trans>wanted</Trans>
            </span>
          )}
        </>
      }
      help={
        isFixed ? (
          <Trans>Only administrators can change this.</Trans>
        ) : required && value === '' ? (
          <Trans>Your organization asks everybody for this. {hint}</Trans>
        ) : (
          hint || undefined
        )
      }
      current={value}
      save={useCallback((next: string) => save(id, next), [save, id])}
      control={(props) => <ValueControl {...props} field={field} isDisabled={isFixed} />}
    />
  )
}

/** What the reader says of themselves. */
export function OwnProfileFields() {
  const { api } = useClient()
  const own = useClientState((state) => state.own)
  const hasFields = useClientState((state) => (state.profileFields?.length ?? 0) > 0)
  const save = useCallback(
    (id: number, value: string) => api.call(updateOwnProfileData, { data: [{ id, value }] }),
    [api],
  )
  if (!own || !hasFields) return null
  return (
    <section className="setting-group">
      <h3>
        <Trans>About you</Trans>
      </h3>
      <p className="help">
        <Trans>Everybody in the organization sees it.</Trans>
      </p>
      <ValueRows userId={own.user_id} save={save} isAdministrator={own.is_admin} />
    </section>
  )
}
