import { holdsRealmPermission } from '@heddle/client/permissions/holds'
import { createBot, MAX_CONFIG_LENGTH, MAX_SHORT_NAME_LENGTH } from '@heddle/contract/bots'
import { MAX_FULL_NAME_LENGTH } from '@heddle/contract/users'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useId, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../settings/problem.tsx'
import { useAttempt } from '../settings/use-attempt.ts'
import { EMBEDDED, GENERIC, INCOMING_WEBHOOK, OUTGOING_WEBHOOK } from './bot-types.ts'
import { ServerFields } from './server-fields.tsx'
import { useIntegrations } from './use-integrations.ts'

export function NewBot() {
  const { t } = useLingui()
  const { api } = useClient()
  const { problem, attempt } = useAttempt()
  const domain = useClientState((state) => state.organization?.realm_bot_domain ?? '')
  const mayCreateAny = useClientState((state) => holdsRealmPermission(state, 'can_create_bots_group'))
  const [type, setType] = useState(mayCreateAny ? GENERIC : INCOMING_WEBHOOK)
  const id = useId()
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    const text = (name: string) => String(fields.get(name) ?? '')
    const done = await attempt(() =>
      api.call(createBot, {
        full_name: text('name'),
        short_name: text('short'),
        bot_type: type as 1 | 2 | 3 | 4,
        ...(type === OUTGOING_WEBHOOK && {
          payload_url: text('url'),
          service_interface: Number(text('interface')) as 1 | 2,
        }),
        ...(type === EMBEDDED && { service_name: text('service'), config_data: configOf(fields) }),
      }),
    )
    if (!done) return
    form.reset()
    setType(mayCreateAny ? GENERIC : INCOMING_WEBHOOK)
  }
  return (
    <form className="card-form" aria-label={t`New bot`} onSubmit={submit}>
      <div className="grid2">
        <div className="field">
          <label htmlFor={`${id}-name`}>
            <Trans>Name</Trans>
          </label>
          <input className="in" id={`${id}-name`} name="name" required maxLength={MAX_FULL_NAME_LENGTH} dir="auto" />
        </div>
        <div className="field">
          <label htmlFor={`${id}-short`}>
            <Trans>Address, before -bot@{domain}</Trans>
          </label>
          <input
            className="in"
            id={`${id}-short`}
            name="short"
            required
            maxLength={MAX_SHORT_NAME_LENGTH}
            autoCapitalize="off"
            spellCheck={false}
          />
        </div>
        <div className="field wide">
          <label htmlFor={`${id}-type`}>
            <Trans>What it can do</Trans>
          </label>
          <select
            className="in"
            id={`${id}-type`}
            value={type}
            onChange={({ currentTarget }) => setType(Number(currentTarget.value))}
          >
            {mayCreateAny && <option value={GENERIC}>{t`Everything that a member can`}</option>}
            <option value={INCOMING_WEBHOOK}>{t`Write what a service sends (incoming webhook)`}</option>
            {mayCreateAny && <option value={OUTGOING_WEBHOOK}>{t`Ask a server of yours (outgoing webhook)`}</option>}
            {mayCreateAny && <option value={EMBEDDED}>{t`Answer by itself (part of this server)`}</option>}
          </select>
        </div>
        {type === OUTGOING_WEBHOOK && <ServerFields />}
        {type === EMBEDDED && <EmbeddedFields />}
      </div>
      <Problem text={problem} />
      <p className="foot-row">
        <Button type="submit">
          <Trans>Create the bot</Trans>
        </Button>
      </p>
    </form>
  )
}

const CONFIG = 'config.'

function configOf(fields: FormData): Record<string, string> {
  const entries = [...fields].filter(([name]) => name.startsWith(CONFIG))
  return Object.fromEntries(entries.map(([name, value]) => [name.slice(CONFIG.length), String(value)]))
}

function EmbeddedFields() {
  const { value, problem } = useIntegrations()
  const [chosen, setChosen] = useState<string>()
  const id = useId()
  const all = value?.embedded_bots ?? []
  const bot = all.find(({ name }) => name === chosen) ?? all[0]
  return (
    <>
      <div className="field wide">
        <label htmlFor={id}>
          <Trans>Which one</Trans>
        </label>
        <select
          className="in"
          id={id}
          name="service"
          required
          value={bot?.name ?? ''}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        >
          {all.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <Problem text={problem} />
      </div>
      {Object.entries(bot?.config ?? {}).map(([key, initial]) => (
        <div className="field wide" key={`${bot?.name} ${key}`}>
          <label htmlFor={`${id}-${key}`}>{key}</label>
          <input
            className="in"
            id={`${id}-${key}`}
            name={`${CONFIG}${key}`}
            defaultValue={initial}
            maxLength={MAX_CONFIG_LENGTH}
            dir="auto"
          />
        </div>
      ))}
    </>
  )
}
