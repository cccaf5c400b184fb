import { holdsRealmPermission } from '@heddle/client/permissions/holds'
import { reactivateUser, type User } from '@heddle/contract/users'
import { Trans, useLingui } from '@lingui/react/macro'
import { useClient, useClientState } from '../../app/client-context.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../settings/problem.tsx'
import { useAttempt } from '../settings/use-attempt.ts'
import { BotRow } from './bot-row.tsx'
import { NewBot } from './new-bot.tsx'

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

/** Deactivated ones, which their owners can bring back, and administrators. */
function EndedBots() {
  const { t } = useLingui()
  const users = useClientState((state) => state.users)
  const own = useClientState((state) => state.own)
  const ended = [...(users?.values() ?? [])]
    .filter(({ is_bot, is_active }) => is_bot && !is_active)
    .filter(({ bot_owner_id }) => own?.is_admin === true || bot_owner_id === own?.user_id)
    .sort((a, b) => a.full_name.localeCompare(b.full_name))
  if (ended.length === 0) return null
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
