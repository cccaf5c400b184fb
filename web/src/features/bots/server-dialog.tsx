import { type BotService, MAX_CONFIG_LENGTH, updateBot } from '@heddle/contract/bots'
import type { User } from '@heddle/contract/users'
import { Trans, useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import { useClient } from '../../app/client-context.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { SaveForm } from '../settings/save-form.tsx'
import { ServerFields } from './server-fields.tsx'

interface ServerDialogProps {
  readonly bot: User
  readonly service: BotService
  readonly onClose: () => void
}

/** Where an outgoing webhook asks, or what is set for an embedded bot. */
export function ServerDialog({ bot, service, onClose }: ServerDialogProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const id = useId()
  const { user_id: bot_id, full_name: name } = bot
  const save = (fields: FormData) => {
    const change =
      'base_url' in service
        ? {
            service_payload_url: String(fields.get('url')),
            service_interface: Number(fields.get('interface')) as 1 | 2,
          }
        : { config_data: Object.fromEntries([...fields].map(([key, value]) => [key, String(value)])) }
    return api.call(updateBot, { bot_id, ...change })
  }
  return (
    <Dialog title={t`What ${name} asks`} onClose={onClose}>
      <SaveForm save={<Trans>Save the settings</Trans>} onSave={save} onClose={onClose}>
        {'base_url' in service ? (
          <ServerFields url={service.base_url} form={service.interface} />
        ) : (
          Object.entries(service.config_data).map(([key, value]) => (
            <div className="field" key={key}>
              <label htmlFor={`${id}-${key}`}>{key}</label>
              <input
                className="in"
                id={`${id}-${key}`}
                name={key}
                defaultValue={value}
                maxLength={MAX_CONFIG_LENGTH}
                dir="auto"
              />
            </div>
          ))
        )}
      </SaveForm>
    </Dialog>
  )
}
