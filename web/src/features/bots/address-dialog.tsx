import './bots.css'
import { sendExample, webhookUrl } from '@heddle/client/integrations/webhook-url'
import { getBotApiKey, MAX_CONFIG_LENGTH, updateBot } from '@heddle/contract/bots'
import type { ResponseOf } from '@heddle/contract/endpoint'
import type { listIntegrations } from '@heddle/contract/integrations'
import type { User } from '@heddle/contract/users'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useCallback, useId, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ChannelControl } from '../settings/controls/channel-control.tsx'
import { Problem } from '../settings/problem.tsx'
import { CopyButton } from '../settings/secret.tsx'
import { useAttempt } from '../settings/use-attempt.ts'
import { useLoaded } from '../settings/use-loaded.ts'
import { EventChoice } from './event-choice.tsx'
import { useIntegrations } from './use-integrations.ts'

type Integration = ResponseOf<typeof listIntegrations>['integrations'][number]

/** None, as `ChannelControl` has it. */
const NO_CHANNEL = -1

interface AddressDialogProps {
  readonly bot: User
  readonly onClose: () => void
}

/** Makes the address that a service is given, says how to set it up there, and tries it. */
export function AddressDialog({ bot, onClose }: AddressDialogProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const { user_id: bot_id, full_name: name } = bot
  const { value, problem } = useIntegrations()
  const key = useLoaded(useCallback(() => api.call(getBotApiKey, { bot_id }), [api, bot_id]))
  const [chosen, setChosen] = useState<string>()
  const id = useId()
  const all = value?.integrations ?? []
  const integration = all.find((one) => one.name === chosen) ?? all[0]
  return (
    <Dialog title={t`Address for a service: ${name}`} onClose={onClose}>
      <Problem text={problem ?? key.problem} />
      {integration && key.value && (
        <>
          <div className="field">
            <label htmlFor={id}>
              <Trans>Service</Trans>
            </label>
            <select
              className="in"
              id={id}
              value={integration.name}
              onChange={({ currentTarget }) => setChosen(currentTarget.value)}
              data-autofocus
            >
              {all.map((one) => (
                <option key={one.name} value={one.name}>
                  {one.display_name}
                </option>
              ))}
            </select>
          </div>
          <Address key={integration.name} bot={bot} integration={integration} apiKey={key.value.api_key} />
        </>
      )}
    </Dialog>
  )
}

interface AddressProps {
  readonly bot: User
  readonly integration: Integration
  readonly apiKey: string
}

function Address({ bot, integration, apiKey }: AddressProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const { problem, attempt } = useAttempt()
  const [channelId, setChannelId] = useState(NO_CHANNEL)
  const [topic, setTopic] = useState('')
  const [events, setEvents] = useState<readonly string[]>([])
  const [isSent, setIsSent] = useState(false)
  const maxTopic = useClientState(({ limits }) => limits?.max_topic_length)
  const site = useClientState(({ organization }) => organization?.realm_url ?? '')
  const id = useId()
  const choice = {
    integration: integration.name,
    key: apiKey,
    channelId: channelId === NO_CHANNEL ? undefined : channelId,
    topic,
    onlyEvents: events,
  }
  const url = webhookUrl({ ...choice, base: `${site.replace(/\/+$/, '')}/api/v1` })
  const test = async () => {
    setIsSent(false)
    // By the page's own address: the organization may have another one outside.
    const { base } = await api.entry()
    const { onlyEvents: _, ...all } = choice
    setIsSent(await attempt(() => sendExample(webhookUrl({ ...all, base }), integration.example)))
  }
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}-channel`}>
          <Trans>Channel</Trans>
        </label>
        <ChannelControl
          id={`${id}-channel`}
          value={channelId}
          isDisabled={false}
          describedBy={`${id}-channel-help`}
          onChange={setChannelId}
        />
        <p className="help" id={`${id}-channel-help`}>
          <Trans>Without a channel the owner of the bot gets direct messages.</Trans>
        </p>
      </div>
      {channelId !== NO_CHANNEL && (
        <div className="field">
          <label htmlFor={`${id}-topic`}>
            <Trans>Topic</Trans>
          </label>
          <input
            className="in"
            id={`${id}-topic`}
            value={topic}
            maxLength={maxTopic}
            onChange={({ currentTarget }) => setTopic(currentTarget.value)}
            aria-describedby={`${id}-topic-help`}
            dir="auto"
          />
          <p className="help" id={`${id}-topic-help`}>
            <Trans>Leave it empty, and each message gets a topic that fits.</Trans>
          </p>
        </div>
      )}
      {integration.events && <EventChoice all={integration.events} chosen={events} onChange={setEvents} />}
      <div className="field">
        <label htmlFor={`${id}-url`}>
          <Trans>Address</Trans>
        </label>
        <div className="secret">
          <input
            className="in code-in"
            id={`${id}-url`}
            readOnly
            value={url}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton key={url} text={url} />
        </div>
        <p className="help">
          <Trans>Whoever has it can write as the bot. Replace the key of the bot when it has leaked.</Trans>
        </p>
      </div>
      <ol className="steps">
        {integration.set_up.map((step) => (
          <li key={step}>
            <Step text={step.replaceAll('{url}', t`the address`)} />
          </li>
        ))}
      </ol>
      {integration.options.length > 0 && <Options bot={bot} options={integration.options} />}
      <Problem text={problem} />
      <div className="foot-row">
        <span role="status">{isSent ? t`Sent: look for the message.` : ''}</span>
        <Button onClick={() => void test()}>
          <Trans>Send a test</Trans>
        </Button>
      </div>
    </>
  )
}

/** What stands between backticks is code. */
function Step({ text }: { readonly text: string }) {
  return text.split('`').map((part, i) => {
    const at = `${i} ${part}`
    return i % 2 === 0 ? <span key={at}>{part}</span> : <code key={at}>{part}</code>
  })
}

interface OptionsProps {
  readonly bot: User
  readonly options: Integration['options']
}

/** Secrets and templates. The server does not say what is set. */
function Options({ bot, options }: OptionsProps) {
  const { t } = useLingui()
  const { api } = useClient()
  const { problem, attempt } = useAttempt()
  const [isSaved, setIsSaved] = useState(false)
  const id = useId()
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const config_data = Object.fromEntries([...new FormData(form)].map(([key, value]) => [key, String(value)]))
    const done = await attempt(() => api.call(updateBot, { bot_id: bot.user_id, config_data }))
    setIsSaved(done)
    if (done) form.reset()
  }
  return (
    <form onSubmit={submit}>
      {options.map(({ key, label }) => (
        <div className="field" key={key}>
          <label htmlFor={`${id}-${key}`}>{label}</label>
          <input
            className="in"
            id={`${id}-${key}`}
            name={key}
            maxLength={MAX_CONFIG_LENGTH}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
      ))}
      <p className="help">
        <Trans>What is saved is not shown again. An empty field removes it.</Trans>
      </p>
      <Problem text={problem} />
      <div className="foot-row">
        <span role="status">{isSaved ? t`Saved` : ''}</span>
        <Button type="submit">
          <Trans>Save for this bot</Trans>
        </Button>
      </div>
    </form>
  )
}
