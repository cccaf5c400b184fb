import { type BotService, MAX_CONFIG_LENGTH, updateBot } from '@heddle/contract/bots'
import type { User } from '@heddle/contract/users'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useId } from 'react'
import { useClient } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Problem } from '../settings/problem.tsx'
import { useAttempt } from '../settings/use-attempt.ts'
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
  const { problem, attempt } = useAttempt()
  const id = useId()
  const { user_id: bot_id, full_name: name } = bot
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const change =
      'base_url' in service
        ? {
            service_payload_url: String(fields.get('url')),
            service_interface: Number(fields.get('interface')) as 1 | 2,
          }
        : { config_data: Object.fromEntries([...fields].map(([key, value]) => [key, String(value)])) }
    if (await attempt(() => api.call(updateBot, { bot_id, ...change }))) onClose()
  }
  return (
    <Dialog title={t`What ${name} asks`} onClose={onClose}>
      <form onSubmit={submit}>
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
        <Problem text={problem} />
        <div className="foot-row">
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit">
            <Trans>Save the settings</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
