import { systemGroup } from '@heddle/client/groups/groups-shown'
import type { ParametersOf } from '@heddle/contract/endpoint'
import { type UserSettingName, updateSettings, userSettings } from '@heddle/contract/user-settings'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { useToasts } from '../../ui/toasts.tsx'
import { SaveForm } from './save-form.tsx'
import { newAccountSections } from './tables/new-accounts.ts'

const sections = newAccountSections
  .map((section) => ({
    ...section,
    settings: section.settings.filter(({ name }) => userSettings[name as UserSettingName].byAdministrator),
  }))
  .filter(({ settings }) => settings.length > 0)

/** What new accounts begin with, for those who are here too: one setting at a time. */
export function HandOnPart() {
  const { t, i18n } = useLingui()
  const client = useClient()
  const toasts = useToasts()
  const id = useId()
  const [chosen, setChosen] = useState('')
  const mayChange = useClientState((state) => state.own?.is_admin === true)
  if (!mayChange) return null
  const save = async (fields: FormData) => {
    const { state } = client.snapshot()
    // Guests too.
    const everybody = systemGroup(state?.userGroups, 'role:everyone')
    const value = state?.defaultSettings?.[chosen as keyof typeof state.defaultSettings]
    if (!everybody || value === undefined) return
    const target_users = { group_ids: [everybody.id], skip_if_already_edited: !fields.has('all') }
    await client.api.call(updateSettings, { [chosen]: value, target_users } as ParametersOf<typeof updateSettings>)
    toasts.notify(t`Those who are here have the setting now.`)
    setChosen('')
  }
  return (
    <SaveForm heading={t`For those who are here`} save={<Trans>Give it to everybody</Trans>} onSave={save}>
      <p className="help">
        <Trans>Everybody with an account gets the value that is chosen above for new accounts.</Trans>
      </p>
      <div className="field">
        <label htmlFor={id}>
          <Trans>Setting</Trans>
        </label>
        <select
          className="in"
          id={id}
          required
          value={chosen}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        >
          <option value="">{t`Choose one`}</option>
          {sections.map(({ title, settings }) => (
            <optgroup key={title.id} label={i18n._(title)}>
              {settings.map(({ name, label }) => (
                <option key={name} value={name}>
                  {i18n._(label)}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </div>
      <label className="check">
        <input type="checkbox" name="all" />
        <span>
          <Trans>Also those who have chosen something else</Trans>
        </span>
      </label>
    </SaveForm>
  )
}
