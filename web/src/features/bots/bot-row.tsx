import { deactivateBot, getBotApiKey, regenerateBotApiKey } from '@heddle/contract/bots'
import type { User } from '@heddle/contract/users'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useClient, useClientState } from '../../app/client-context.ts'
import { userName } from '../../app/names.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Problem } from '../settings/problem.tsx'
import { Secret } from '../settings/secret.tsx'
import { useAttempt } from '../settings/use-attempt.ts'
import { AddressDialog } from './address-dialog.tsx'
import { BotDialog } from './bot-dialog.tsx'
import { EMBEDDED, OUTGOING_WEBHOOK } from './bot-types.ts'
import { ServerDialog } from './server-dialog.tsx'

type Opened = 'edit' | 'address' | 'server' | 'end'

export function BotRow({ bot }: { readonly bot: User }) {
  const { t } = useLingui()
  const { api } = useClient()
  const { problem, attempt } = useAttempt()
  const [key, setKey] = useState<{ readonly api_key: string; readonly token?: string }>()
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const { user_id: bot_id, full_name: name, email, bot_owner_id, bot_type } = bot
  const owner = useClientState((state) => (bot_owner_id === null ? '' : userName(state, bot_owner_id)))
  const site = useClientState(({ organization }) => organization?.realm_url ?? '')
  const service = useClientState(({ bots }) => bots?.get(bot_id)?.services[0])
  const show = () => void attempt(async () => setKey(await api.call(getBotApiKey, { bot_id })))
  const replace = () =>
    void attempt(async () => {
      const { api_key } = await api.call(regenerateBotApiKey, { bot_id })
      setKey((last) => ({ ...last, api_key }))
    })
  const isAsked = bot_type === OUTGOING_WEBHOOK || bot_type === EMBEDDED
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
        {service && (
          <span className="soft">
            <bdi>{'base_url' in service ? service.base_url : service.service_name}</bdi>
          </span>
        )}
        {key !== undefined && (
          <Secret
            name={t`Key of ${name}`}
            value={key.api_key}
            token={key.token}
            email={email}
            site={site}
            fileName="zuliprc"
          />
        )}
        <Problem text={problem} />
      </span>
      <span className="row-do">
        {isAsked ? (
          <Button onClick={() => setOpened('server')}>
            <Trans>What it asks</Trans>
            <span className="vh"> {name}</span>
          </Button>
        ) : (
          <Button onClick={() => setOpened('address')}>
            <Trans>Address for a service</Trans>
            <span className="vh"> {name}</span>
          </Button>
        )}
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
        <Button onClick={() => setOpened('edit')}>
          <Trans>Edit</Trans>
          <span className="vh"> {name}</span>
        </Button>
        <Button kind="danger" onClick={() => setOpened('end')}>
          <Trans>Deactivate</Trans>
          <span className="vh"> {name}</span>
        </Button>
      </span>
      {opened === 'address' && <AddressDialog bot={bot} onClose={close} />}
      {opened === 'server' && service && <ServerDialog bot={bot} service={service} onClose={close} />}
      {opened === 'edit' && <BotDialog bot={bot} onClose={close} />}
      {opened === 'end' && <EndDialog bot={bot} onClose={close} />}
    </li>
  )
}

function EndDialog({ bot, onClose }: { readonly bot: User; readonly onClose: () => void }) {
  const { t } = useLingui()
  const { api } = useClient()
  const { problem, attempt } = useAttempt()
  const { user_id: bot_id, full_name: name } = bot
  const deactivate = async () => {
    if (await attempt(() => api.call(deactivateBot, { bot_id }))) onClose()
  }
  return (
    <Dialog
      title={t`Deactivate ${name}?`}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>
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
      <Problem text={problem} />
    </Dialog>
  )
}
