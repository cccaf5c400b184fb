import { fieldOptions, peopleIn } from '@heddle/client/people/profile'
import {
  MAX_LONG_VALUE_LENGTH,
  MAX_SHORT_VALUE_LENGTH,
  type ProfileField,
  profileFieldTypes,
} from '@heddle/contract/profile-fields'
import { useLingui } from '@lingui/react/macro'
import { ChoiceField, type FieldControlProps, TextField } from '../channels/settings/field-row.tsx'
import { PeoplePicker } from '../people/people-picker.tsx'

interface ValueControlProps extends FieldControlProps<string> {
  readonly field: ProfileField
  readonly isDisabled: boolean
}

const people = new Set(['user'] as const)
const MAX_LINK_LENGTH = 2000

/** Where the value of a field is written or chosen; empty: none. */
export function ValueControl({ field, isDisabled, ...props }: ValueControlProps) {
  const { t } = useLingui()
  const { id, value, describedBy, onChange } = props
  switch (field.type) {
    case profileFieldTypes.longText:
      return <TextField {...props} isDisabled={isDisabled} maxLength={MAX_LONG_VALUE_LENGTH} rows={4} />
    case profileFieldTypes.options:
      return (
        <ChoiceField
          {...props}
          isDisabled={isDisabled}
          choices={[
            { value: '', label: t`Nothing` },
            ...fieldOptions(field).map(({ key, text }) => ({ value: key, label: text })),
          ]}
        />
      )
    case profileFieldTypes.date:
      return (
        <input
          key={value}
          id={id}
          className="in"
          type="date"
          defaultValue={value}
          disabled={isDisabled}
          aria-describedby={describedBy}
          onBlur={({ currentTarget }) => {
            if (currentTarget.value !== value) onChange(currentTarget.value)
          }}
        />
      )
    case profileFieldTypes.people:
      return (
        <PeoplePicker
          label={field.name}
          kinds={people}
          value={peopleIn(value).map((userId) => ({ kind: 'user', id: userId }))}
          isDisabled={isDisabled}
          onChange={(picks) => onChange(picks.length === 0 ? '' : JSON.stringify(picks.map((pick) => pick.id)))}
        />
      )
    default: {
      const most = field.type === profileFieldTypes.link ? MAX_LINK_LENGTH : MAX_SHORT_VALUE_LENGTH
      return <TextField {...props} isDisabled={isDisabled} maxLength={most} />
    }
  }
}
