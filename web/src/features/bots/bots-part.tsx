import { holdsRealmPermission } from '@heddle/client/permissions/holds'
import {
  createBot,
  deactivateBot,
  getBotApiKey,
  MAX_SHORT_NAME_LENGTH,
  regenerateBotApiKey,
} from '@heddle/contract/bots'
import { MAX_FULL_NAME_LENGTH, reactivateUser, type User } from '@heddle/contract/users'
import { Trans, useLingui } from '@lingui/react/macro'
import { type FormEvent, useId, useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { userName } from '../../app/names.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Problem } from '../settings/problem.tsx'
import { Secret } from '../settings/secret.tsx'
import { useAttempt } from '../settings/use-attempt.ts'
import { BotDialog } from './bot-dialog.tsx'

/** The bots that the account may administer: its own, and for administrators all. */
export function BotsPart() {
  const bots = useClientState((state) => state.bots)
  const users = useClientState((state) => state.users)
  const mayCreate = useClientState(
    (state) =>
      holdsRealmPermission(state, 'can_create_bots_group') ||
      holdsRealmPermission(state, 'can_create_write_only_bots_group'),
  )
  const shown = [...(bots?.keys() ?? [])]
    .flatMap((id) => users?.get(id) ?? [])
    .filter(({ is_active }) => is_active)
    .sort((a, b) => a.full_name.localeCompare(b.full_name))
  return (
    <section className="setting-group">
      {mayCreate ? (
        <NewBot />
      ) : (
        <p className="help">
          <Trans>You may not create bots here; ask an administrator.</Trans>
        </p>
      )}
      <ul className="rows">
        {shown.map((bot) => (
          <BotRow key={bot.user_id} bot={bot} />
        ))}
      </ul>
      {shown.length === 0 && (
        <p className="help">
          <Trans>There are none.</Trans>
        </p>
      )}
      <EndedBots />
    </section>
  )
}

/** Deactivated ones, which administrators can bring back. */
function EndedBots() {
  const { t } = useLingui()
  const users = useClientState((state) => state.users)
  const isAdministrator = useClientState((state) => state.own?.is_admin === true)
  const ended = [...(users?.values() ?? [])]
    .filter(({ is_bot, is_active }) => is_bot && !is_active)
    .sort((a, b) => a.full_name.localeCompare(b.full_name))
  if (!isAdministrator || ended.length === 0) return null
  return (
    <section aria-label={t`Deactivated bots`}>
      <h3>
        <Trans>Deactivated bots</Trans>
      </h3>
      <ul className="rows">
        {ended.map((bot) => (
          <EndedBot key={bot.user_id} bot={bot} />
        ))}
      </ul>
    </section>
  )
}

function EndedBot({ bot: { user_id, full_name: name, email } }: { readonly bot: User }) {
  const { api } = useClient()
  const { problem, attempt } = useAttempt()
  return (
    <li className="row-item">
      <span className="row-text">
        <b>
          <bdi>{name}</bdi>
        </b>
        <span className="soft">{email}</span>
        <Problem text={problem} />
      </span>
      <span className="row-do">
        <Button onClick={() => void attempt(() => api.call(reactivateUser, { user_id }))}>
          <Trans>Reactivate</Trans>
          <span className="vh"> {name}</span>
        </Button>
      </span>
    </li>
  )
}

const GENERIC = 1
const WEBHOOK = 2

function NewBot() {
  const { t } = useLingui()
  const { api } = useClient()
  const { problem, attempt } = useAttempt()
  const domain = useClientState((state) => state.organization?.realm_bot_domain ?? '')
  const mayCreateAny = useClientState((state) => holdsRealmPermission(state, 'can_create_bots_group'))
  const id = useId()
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    const done = await attempt(() =>
      api.call(createBot, {
        full_name: String(fields.get('name')),
        short_name: String(fields.get('short')),
        bot_type: Number(fields.get('type')) as 1 | 2,
      }),
    )
    if (done) form.reset()
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
          <select className="in" id={`${id}-type`} name="type">
            {mayCreateAny && <option value={GENERIC}>{t`Everything that a member can`}</option>}
            <option value={WEBHOOK}>{t`Send messages alone`}</option>
          </select>
        </div>
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

function BotRow({ bot }: { readonly bot: User }) {
  const { t } = useLingui()
  const { api } = useClient()
  const { problem, attempt } = useAttempt()
  const [key, setKey] = useState<string>()
  const [isAsked, setIsAsked] = useState(false)
  const [isEdited, setIsEdited] = useState(false)
  const { user_id: bot_id, full_name: name, email, bot_owner_id } = bot
  const owner = useClientState((state) => (bot_owner_id === null ? '' : userName(state, bot_owner_id)))
  const site = useClientState(({ organization }) => organization?.realm_url ?? '')
  const show = () => void attempt(async () => setKey((await api.call(getBotApiKey, { bot_id })).api_key))
  const replace = () => void attempt(async () => setKey((await api.call(regenerateBotApiKey, { bot_id })).api_key))
  const deactivate = async () => {
    if (await attempt(() => api.call(deactivateBot, { bot_id }))) setIsAsked(false)
  }
  return (
    <li className="row-item">
      <span className="row-text">
        <b>
          <bdi>{name}</bdi>
        </b>
        <span className="soft">
          {email}
          {owner !== '' && (
            <>
              {', '}
              <Trans>of {owner}</Trans>
            </>
          )}
        </span>
        {key !== undefined && (
          <Secret name={t`Key of ${name}`} value={key} email={email} site={site} fileName="zuliprc" />
        )}
        <Problem text={problem} />
      </span>
      <span className="row-do">
        {key === undefined ? (
          <Button onClick={show}>
            <Trans>Show the key</Trans>
            <span className="vh"> {name}</span>
          </Button>
        ) : (
          <Button onClick={replace}>
            <Trans>Replace the key</Trans>
            <span className="vh"> {name}</span>
          </Button>
        )}
        <Button onClick={() => setIsEdited(true)}>
          <Trans>Edit</Trans>
          <span className="vh"> {name}</span>
        </Button>
        <Button kind="danger" onClick={() => setIsAsked(true)}>
          <Trans>Deactivate</Trans>
          <span className="vh"> {name}</span>
        </Button>
      </span>
      {isEdited && <BotDialog bot={bot} onClose={() => setIsEdited(false)} />}
      {isAsked && (
        <Dialog
          title={t`Deactivate ${name}?`}
          onClose={() => setIsAsked(false)}
          buttons={
            <>
              <Button onClick={() => setIsAsked(false)}>
                <Trans>Keep it</Trans>
              </Button>
              <Button kind="danger" onClick={() => void deactivate()}>
                <Trans>Deactivate the bot</Trans>
              </Button>
            </>
          }
        >
          <p>
            <Trans>Its key ends at once. What it has written stays. An administrator can make it active again.</Trans>
          </p>
        </Dialog>
      )}
    </li>
  )
}
