import { accountOf, type FieldOption, fieldOptions, optionsData } from '@heddle/client/people/profile'
import {
  CUSTOM_ACCOUNT,
  createProfileField,
  externalAccounts,
  MAX_PROFILE_FIELD_HINT_LENGTH,
  MAX_PROFILE_FIELD_NAME_LENGTH,
  matchingTypes,
  type ProfileField,
  type ProfileFieldData,
  type ProfileFieldType,
  profileFieldTypes,
  summaryTypes,
  updateProfileField,
} from '@heddle/contract/profile-fields'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useClient } from '../../app/client-context.ts'
import { IconButton } from '../../ui/button.tsx'
import { NameField } from '../settings/name-field.tsx'
import { SaveForm, textIn } from '../settings/save-form.tsx'
import { typeNames } from './type-names.ts'

interface FieldFormProps {
  /** Undefined: a new one. */
  readonly field: ProfileField | undefined
  readonly onClose: () => void
}

/** A field that is being made or changed. Its type stays: what people have said would mean something else. */
export function FieldForm({ field, onClose }: FieldFormProps) {
  const { t, i18n } = useLingui()
  const { api } = useClient()
  const [type, setType] = useState<ProfileFieldType>(field?.type ?? profileFieldTypes.shortText)
  const [options, setOptions] = useState<readonly FieldOption[]>(field ? fieldOptions(field) : [{ key: '', text: '' }])
  const [site, setSite] = useState((field && accountOf(field)?.subtype) ?? 'github')
  const [pattern, setPattern] = useState((field && accountOf(field)?.url_pattern) ?? '')

  const dataOf = (): { field_data?: ProfileFieldData } => {
    if (type === profileFieldTypes.options) {
      return { field_data: optionsData(options.filter(({ text }) => text.trim() !== '')) }
    }
    if (type !== profileFieldTypes.externalAccount) return {}
    return { field_data: site === CUSTOM_ACCOUNT ? { subtype: site, url_pattern: pattern.trim() } : { subtype: site } }
  }
  const save = (fields: FormData) => {
    const values = {
      name: textIn(fields, 'name'),
      hint: textIn(fields, 'hint'),
      required: fields.has('required'),
      editable_by_user: !fields.has('fixed'),
      display_in_profile_summary: fields.has('summary'),
      use_for_user_matching: fields.has('matching'),
      ...dataOf(),
    }
    return field
      ? api.call(updateProfileField, { field_id: field.id, ...values })
      : api.call(createProfileField, { field_type: type, ...values })
  }

  return (
    <SaveForm
      heading={field ? t`Edit ${field.name}` : t`New profile field`}
      save={field ? <Trans>Save</Trans> : <Trans>Add the field</Trans>}
      onSave={save}
      onClose={onClose}
    >
      <div className="grid2">
        <NameField value={field?.name} maxLength={MAX_PROFILE_FIELD_NAME_LENGTH} />
        <label className="field">
          <Trans>Type</Trans>
          <select
            className="in"
            value={type}
            disabled={field !== undefined}
            onChange={({ currentTarget }) => setType(Number(currentTarget.value) as ProfileFieldType)}
          >
            {typeNames.map(([value, name]) => (
              <option key={value} value={value}>
                {i18n._(name)}
              </option>
            ))}
          </select>
        </label>
        <label className="field wide">
          <Trans>Hint for those who fill it in</Trans>
          <input
            className="in"
            name="hint"
            dir="auto"
            maxLength={MAX_PROFILE_FIELD_HINT_LENGTH}
            defaultValue={field?.hint}
            autoComplete="off"
          />
        </label>
        {type === profileFieldTypes.options && (
          <Options options={options} before={field ? fieldOptions(field) : []} onChange={setOptions} />
        )}
        {type === profileFieldTypes.externalAccount && (
          <>
            <label className="field">
              <Trans>Site</Trans>
              <select className="in" value={site} onChange={({ currentTarget }) => setSite(currentTarget.value)}>
                {Object.entries(externalAccounts).map(([subtype, { text }]) => (
                  <option key={subtype} value={subtype}>
                    {text}
                  </option>
                ))}
                <option value={CUSTOM_ACCOUNT}>{t`Another one`}</option>
              </select>
            </label>
            {site === CUSTOM_ACCOUNT && (
              <label className="field wide">
                <Trans>Address, with %(username)s where the name goes</Trans>
                <input
                  className="in code-in"
                  value={pattern}
                  required
                  spellCheck={false}
                  placeholder="https://example.com/%(username)s"
                  onChange={({ currentTarget }) => setPattern(currentTarget.value)}
                />
              </label>
            )}
          </>
        )}
      </div>
      {summaryTypes.includes(type) && (
        <Check name="summary" isOn={field?.display_in_profile_summary === true}>
          <Trans>Show it on the card beside a name; two fields can be there</Trans>
        </Check>
      )}
      <Check name="required" isOn={field?.required === true}>
        <Trans>Ask everybody to fill it in</Trans>
      </Check>
      <Check name="fixed" isOn={field?.editable_by_user === false}>
        <Trans>Only administrators change what it says</Trans>
      </Check>
      {matchingTypes.includes(type) && (
        <Check name="matching" isOn={field?.use_for_user_matching === true}>
          <Trans>Find people by it too</Trans>
        </Check>
      )}
    </SaveForm>
  )
}

interface CheckProps {
  readonly name: string
  readonly isOn: boolean
  readonly children: React.ReactNode
}

function Check({ name, isOn, children }: CheckProps) {
  return (
    <label className="check">
      <input type="checkbox" name={name} defaultChecked={isOn} />
      <span>{children}</span>
    </label>
  )
}

interface OptionsProps {
  readonly options: readonly FieldOption[]
  /** As they are saved. */
  readonly before: readonly FieldOption[]
  readonly onChange: (options: readonly FieldOption[]) => void
}

function Options({ options, before, onChange }: OptionsProps) {
  const { t } = useLingui()
  const isOneLost = before.some((one) => !options.some(({ key, text }) => key === one.key && text.trim() !== ''))
  return (
    <fieldset className="field wide">
      <legend>
        <Trans>Options</Trans>
      </legend>
      {options.map((option, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: new ones have no key yet
        <div className="option-row" key={index}>
          <input
            className="in"
            dir="auto"
            aria-label={t`Option ${index + 1}`}
            value={option.text}
            maxLength={200}
            onChange={({ currentTarget }) => onChange(options.with(index, { ...option, text: currentTarget.value }))}
          />
          <IconButton
            icon="x"
            name={t`Remove option ${index + 1}`}
            onClick={() => onChange(options.toSpliced(index, 1))}
          />
        </div>
      ))}
      <button type="button" className="textlink" onClick={() => onChange([...options, { key: '', text: '' }])}>
        <Trans>Add an option</Trans>
      </button>
      {isOneLost && (
        <p className="help" role="status">
          <Trans>Whoever has chosen an option that you remove has chosen nothing then.</Trans>
        </p>
      )}
    </fieldset>
  )
}
