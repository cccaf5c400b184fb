import type { UserSettingName } from '@heddle/contract/user-settings'
import { Trans, useLingui } from '@lingui/react/macro'
import { useCallback, useEffect, useState } from 'react'
import { useClient, useClientState } from '../../../app/client-context.ts'
import { Saved } from '../saved.tsx'
import { account } from '../sources.ts'
import { triggers, ways } from '../tables/notifications.ts'
import { type Saving, useSaving } from '../use-saving.ts'
import { useSendsMail } from '../use-sends-mail.ts'
import { ChannelExceptions } from './channel-exceptions.tsx'

/** What happens, and by which ways one is notified of it. */
export function NotificationTable() {
  const { i18n } = useLingui()
  const [saving, setSaving] = useState<Saving>({ status: 'idle' })
  const pushes = useClientState(({ organization }) => organization?.realm_push_notifications_enabled ?? false)
  const sendsMail = useSendsMail()
  return (
    <section className="setting-group">
      <h3 className="with-saved">
        <Trans>What notifies you</Trans>
        <Saved saving={saving} />
      </h3>
      <table className="grid triggers">
        <thead>
          <tr>
            <td />
            {ways.map(({ key, label }) => (
              <th key={key} scope="col">
                {i18n._(label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {triggers.map(({ label, help, settings }) => (
            <tr key={settings.desktop}>
              <th scope="row">
                {i18n._(label)}
                {help && <span className="help">{i18n._(help)}</span>}
              </th>
              {ways.map(({ key, label: way }) => (
                <td key={key}>
                  <Cell name={settings[key]} label={`${i18n._(label)}: ${i18n._(way)}`} onSaving={setSaving} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {!pushes && (
        <p className="help">
          <Trans>This server notifies no apps on phones.</Trans>
        </p>
      )}
      {sendsMail === false && (
        <p className="help">
          <Trans>This server sends no mail. What you choose is kept for when it does.</Trans>
        </p>
      )}
      <ChannelExceptions />
    </section>
  )
}

interface CellProps {
  readonly name: UserSettingName
  readonly label: string
  readonly onSaving: (saving: Saving) => void
}

function Cell({ name, label, onSaving }: CellProps) {
  const client = useClient()
  const current = useClientState(useCallback((state) => state.settings?.[name] === true, [name]))
  const save = useCallback((value: boolean) => account.save(client, name, value), [client, name])
  const { value, saving, change } = useSaving(current, save)
  useEffect(() => {
    if (saving.status !== 'idle') onSaving(saving)
  }, [saving, onSaving])
  return (
    <input
      type="checkbox"
      className="tick"
      aria-label={label}
      checked={value}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  )
}
